-- universe.csv: what each product is and what it is compared with. :'universe_hex' are the frozen bytes, hashed here
-- again; :'members' the instruments that the batch accepted (null: every row of sound shape); :'scope' those to answer for.
CREATE TEMP TABLE universe ON COMMIT DROP AS
WITH body AS MATERIALIZED (
  SELECT encode(sha256(b.bytes), 'hex') AS sha256,
         pg_temp.unquoted(replace(replace(pg_temp.decoded(b.bytes, NULL), E'\r\n', E'\n'), E'\r', E'\n')) AS text
  FROM (SELECT decode(:'universe_hex', 'hex') AS bytes) AS b
),
row AS MATERIALIZED (
  SELECT l.n, string_to_array(l.line, ',') AS f, h.header
  FROM body CROSS JOIN (SELECT pg_temp.header_of(text) AS header FROM body OFFSET 0) AS h CROSS JOIN LATERAL string_to_table(body.text, E'\n') WITH ORDINALITY AS l(line, n)
  WHERE l.n > 1 AND l.line <> ''
),
named AS MATERIALIZED (
  SELECT r.n, r.f, c.cells FROM row AS r CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(h.name, btrim(pg_temp.cell(coalesce(r.f[h.o], '')))) AS cells
    FROM unnest(r.header) WITH ORDINALITY AS h(name, o) WHERE h.name IS NOT NULL) AS c
)
SELECT DISTINCT ON (cells->>'instrument')
       (cells->>'instrument') COLLATE "C" AS instrument, cells->>'market' AS market, cells->>'ticker' AS ticker, cells->>'currency' AS currency,
       nullif(cells->>'peer_group', '') AS peer_group, nullif(cells->>'benchmark', '') COLLATE "C" AS benchmark,
       (cells->>'exposure_multiple')::int AS multiple, cells->>'fx_hedged' = 'true' AS fx_hedged,
       (SELECT sha256 FROM body) AS sha256,
       cells->>'instrument' IN (SELECT jsonb_array_elements_text(:'scope'::jsonb)) AS in_scope
FROM named
WHERE cells->>'instrument' = (cells->>'market') || ':' || (cells->>'ticker')
  AND cells->>'market' IN ('KR', 'US') AND cells->>'currency' IN ('KRW', 'USD')
  AND cells->>'exposure_multiple' ~ '^-?[123]$' AND cells->>'fx_hedged' IN ('true', 'false')
  AND (:'members'::jsonb IS NULL OR :'members'::jsonb = 'null'::jsonb OR :'members'::jsonb ? (cells->>'instrument'))
ORDER BY cells->>'instrument', n;

-- Those in scope and what they need: their comparison product and the members of their peer group.
CREATE TEMP TABLE instrument ON COMMIT DROP AS
SELECT u.*, t.cutoff, t.reporting_currency, (u.currency = t.reporting_currency) AS in_reporting
FROM universe AS u JOIN terms AS t USING (market)
WHERE u.in_scope
   OR u.instrument IN (SELECT benchmark FROM universe WHERE in_scope)
   OR u.peer_group IN (SELECT peer_group FROM universe WHERE in_scope);
