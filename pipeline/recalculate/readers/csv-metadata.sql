-- csv-metadata: one row a product, found by its ticker as text. A ticker with differing rows states nothing.
CREATE TEMP TABLE stated_cell (
  instrument text, source_id text, source_rank int, evidence text, retrieved_at timestamptz, field text, unit text, cell text
) ON COMMIT DROP;

WITH file AS (
  SELECT p.*, array_position(p.header, p.reading->>'key') AS at_key FROM payload AS p WHERE p.contract = 'csv-metadata'
),
row AS (
  SELECT f.evidence, i.instrument, min(f.line) AS line
  FROM (SELECT f.evidence, f.market, l.line, btrim(split_part(l.line, ',', f.at_key)) AS ticker
        FROM file AS f CROSS JOIN LATERAL string_to_table(f.body, E'\n') AS l(line) WHERE f.at_key IS NOT NULL OFFSET 0) AS f
  JOIN instrument AS i ON i.market = f.market AND i.in_scope AND i.ticker = f.ticker
  GROUP BY f.evidence, i.instrument HAVING count(DISTINCT f.line) = 1
)
INSERT INTO stated_cell
SELECT r.instrument, f.source_id, f.source_rank, f.evidence, f.retrieved_at, x.key, x.value->>'unit',
       pg_temp.stated(pg_temp.cell((string_to_array(r.line, ','))[array_position(f.header, x.value->>'column')]))
FROM row AS r JOIN file AS f USING (evidence) CROSS JOIN LATERAL jsonb_each(f.reading->'fields') AS x;
