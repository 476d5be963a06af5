-- json-metadata: an array of objects, one a product, found by its ticker as text. Numbers keep their digits (jsonb holds NUMERIC).
-- An object that names a key twice, at any depth, states nothing: jsonb would keep the last without a word, json keeps both.
CREATE FUNCTION pg_temp.repeats_key(entry json) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  WITH RECURSIVE node AS (
    SELECT entry AS value
    UNION ALL
    SELECT inner_value FROM node CROSS JOIN LATERAL (
      SELECT value FROM json_each(CASE json_typeof(node.value) WHEN 'object' THEN node.value ELSE '{}' END)
      UNION ALL
      SELECT value FROM json_array_elements(CASE json_typeof(node.value) WHEN 'array' THEN node.value ELSE '[]' END)
    ) AS child(inner_value)
  )
  SELECT EXISTS (
    SELECT FROM node WHERE json_typeof(value) = 'object' AND (SELECT count(*) > count(DISTINCT name) FROM json_object_keys(value) AS name)
  )
$$;

WITH file AS (
  SELECT p.evidence, p.market, p.source_id, p.source_rank, p.retrieved_at, p.reading, pg_temp.document_of(p.body) AS doc, p.body
  FROM payload AS p WHERE p.contract = 'json-metadata'
),
entry AS (
  SELECT f.evidence, i.instrument, min(e.doc::text)::jsonb AS doc
  FROM file AS f
  CROSS JOIN LATERAL json_array_elements(CASE jsonb_typeof(f.doc) WHEN 'array' THEN f.body::json ELSE '[]' END) AS w(written)
  CROSS JOIN LATERAL (SELECT w.written::jsonb AS doc OFFSET 0) AS e
  JOIN instrument AS i ON i.market = f.market AND i.in_scope AND i.ticker = btrim(e.doc->>(f.reading->>'key'))
  GROUP BY f.evidence, i.instrument HAVING count(DISTINCT e.doc) = 1 AND NOT bool_or(pg_temp.repeats_key(w.written))
)
INSERT INTO stated_cell
SELECT n.instrument, f.source_id, f.source_rank, f.evidence, f.retrieved_at, x.key, x.value->>'unit',
       CASE WHEN jsonb_typeof(c.at) IN ('string', 'number') THEN pg_temp.stated(c.at#>>'{}') END
FROM entry AS n JOIN file AS f USING (evidence) CROSS JOIN LATERAL jsonb_each(f.reading->'fields') AS x
CROSS JOIN LATERAL (SELECT n.doc#>string_to_array(x.value->>'path', '.') AS at) AS c;

-- Korean money text: 16조 5,475억.
CREATE FUNCTION pg_temp.krw_text(cell text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(pg_temp.numeral(m[1]), 0) * 1000000000000 + coalesce(pg_temp.numeral(m[2]), 0) * 100000000
       + coalesce(pg_temp.numeral(m[3]), 0) * 10000 + coalesce(pg_temp.numeral(m[4]), 0)
  FROM (SELECT regexp_match(cell, '^(?:([0-9][0-9,.]*)\s*조)?\s*(?:([0-9][0-9,.]*)\s*억)?\s*(?:([0-9][0-9,.]*)\s*만)?\s*([0-9][0-9,.]*)?\s*원?$') AS m) AS t
  WHERE num_nonnulls(m[1], m[2], m[3], m[4]) > 0
    AND (m[1] IS NULL OR pg_temp.numeral(m[1]) IS NOT NULL) AND (m[2] IS NULL OR pg_temp.numeral(m[2]) IS NOT NULL)
    AND (m[3] IS NULL OR pg_temp.numeral(m[3]) IS NOT NULL) AND (m[4] IS NULL OR pg_temp.numeral(m[4]) IS NOT NULL)
$$;

-- A text of one line that a person sees whole: no control, format, private or separating character.
CREATE FUNCTION pg_temp.is_shown(cell text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT cell !~ ('[\u0001-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f'
    || '\ue000-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    || '\U000e0001\U000e0020-\U000e007f\U000f0000-\U000ffffd\U00100000-\U0010fffd]')
$$;

-- Every stated field in the unit of the catalogue: ratio, whole currency units, date, text. What cannot be read is absent.
CREATE TEMP TABLE stated ON COMMIT DROP AS
SELECT instrument, source_id, source_rank, retrieved_at, field, value
FROM stated_cell CROSS JOIN LATERAL (SELECT CASE
  WHEN cell IS NULL THEN NULL
  WHEN field = 'total_expense_ratio' THEN CASE unit
    -- trailing zeros stay: they say how finely the source states it
    WHEN 'percent' THEN (pg_temp.numeral(rtrim(cell, '% ')) * 0.01)::text
    WHEN 'fraction' THEN pg_temp.numeral(cell)::text END
  WHEN field IN ('net_assets', 'fund_net_assets') THEN CASE
    WHEN unit = 'krw_text' THEN trim_scale(pg_temp.krw_text(cell))::text
    WHEN unit IN ('KRW', 'USD') THEN trim_scale(pg_temp.numeral(cell))::text END
  WHEN field IN ('listed_on', 'inception_on') THEN CASE
    WHEN unit = 'epoch_seconds' THEN CASE WHEN abs(pg_temp.numeral(cell)) < 1e10
      THEN ((timestamptz 'epoch' + floor(pg_temp.numeral(cell)) * interval '1 second') AT TIME ZONE 'UTC')::date::text END
    ELSE pg_temp.day(cell)::text END
  WHEN length(cell) <= CASE WHEN field LIKE 'description%' THEN 10000 ELSE 200 END AND pg_temp.is_shown(cell) THEN cell END AS value) AS v
WHERE value IS NOT NULL;

-- What the stated expense ratios come to. Decimals are those that are written. Two sources agree when the one with fewer decimals equals the other, rounded or truncated
-- to as many; every two of them have to. The finest is the value, the first in batch order among equals.
CREATE TEMP TABLE fee ON COMMIT DROP AS
WITH ratio AS (
  SELECT instrument, source_id, source_rank, retrieved_at, value::numeric AS value, scale(value::numeric) AS decimals FROM stated WHERE field = 'total_expense_ratio'
),
finest AS (
  SELECT DISTINCT ON (instrument) * FROM ratio ORDER BY instrument, decimals DESC, source_rank
),
conflict AS (
  SELECT DISTINCT a.instrument FROM ratio AS a JOIN ratio AS b USING (instrument)
  WHERE a.decimals <= b.decimals AND a.value NOT IN (round(b.value, a.decimals), trunc(b.value, a.decimals))
)
SELECT i.instrument, f.value, f.retrieved_at, CASE WHEN f.value IS NULL THEN 'SOURCE_MISSING' WHEN c.instrument IS NOT NULL THEN 'CONFLICT' END AS reason
FROM instrument AS i LEFT JOIN finest AS f USING (instrument) LEFT JOIN conflict AS c USING (instrument) WHERE i.in_scope;
