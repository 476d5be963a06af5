-- One frozen payload: re-hashed here, decoded, quotes resolved, header split. :'payload_hex' are the bytes, :'version' its
-- SOURCE_VERSION, :'evidence' its id, :'reading' the contract it is read under. Evidence first usable after as_of does not exist.
-- A file that has a column of the contract twice is no text either: which of the two was meant, no reader can know.
WITH frozen AS MATERIALIZED (
  SELECT v.doc, v.reading, pg_temp.body_of(decode(:'payload_hex', 'hex'), v.doc->>'payload_sha256', :'evidence', v.reading) AS body
  FROM (SELECT :'version'::jsonb AS doc, :'reading'::jsonb AS reading) AS v
  WHERE (v.doc->>'first_usable_at')::timestamptz <= (SELECT min(as_of) FROM terms)
)
INSERT INTO payload
SELECT :'evidence', f.doc->>'source_id', d.source_rank, f.reading->>'contract', d.market, f.doc->>'instrument',
       (f.doc->>'first_usable_at')::timestamptz, (f.doc->>'retrieved_at')::timestamptz, f.reading,
       CASE WHEN h.is_sound THEN f.body END, CASE WHEN h.is_sound THEN h.header END
FROM frozen AS f JOIN declared AS d ON d.source_id = f.doc->>'source_id'
CROSS JOIN LATERAL (
  SELECT header, NOT pg_temp.repeats_column(header, f.reading) AS is_sound
  FROM (SELECT CASE WHEN f.reading->>'contract' LIKE 'csv-%' THEN pg_temp.header_of(f.body) END AS header OFFSET 0) AS names
  OFFSET 0
) AS h;
