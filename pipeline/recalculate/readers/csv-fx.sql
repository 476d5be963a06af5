-- csv-fx: positive rates by the day they belong to. Where the source declares a label shift, a label in summer time of the
-- zone moves: its noon is further from UTC than the lesser of the noons of 1 January and 1 July. Blank rates are skipped.
CREATE FUNCTION pg_temp.noon_offset(day date, zone text) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT ((day + time '12:00') AT TIME ZONE 'UTC' AT TIME ZONE zone) - (day + time '12:00')
$$;
CREATE FUNCTION pg_temp.belongs_to(label date, zone text, days int) RETURNS date LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF zone IS NULL THEN RETURN label; END IF;
  RETURN label + CASE WHEN pg_temp.noon_offset(label, zone) > least(
    pg_temp.noon_offset(make_date(extract(year FROM label)::int, 1, 1), zone),
    pg_temp.noon_offset(make_date(extract(year FROM label)::int, 7, 1), zone)) THEN days ELSE 0 END;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL; -- a zone that nobody knows
END $$;

CREATE TEMP TABLE rate ON COMMIT DROP AS
WITH line AS MATERIALIZED (
  SELECT p.evidence, p.source_rank, p.reading#>>'{pair,base}' AS base, p.reading#>>'{pair,quote}' AS quote,
         pg_temp.day(l.f[array_position(p.header, p.reading#>>'{columns,date}')]) AS label,
         p.reading#>>'{label_shift,zone}' AS zone, (p.reading#>>'{label_shift,days_in_summer_time}')::int AS days,
         pg_temp.numeral(l.f[array_position(p.header, p.reading#>>'{columns,rate}')]) AS rate
  FROM payload AS p
  CROSS JOIN LATERAL (SELECT string_to_array(line, ',') AS f FROM string_to_table(p.body, E'\n') AS t(line) WHERE line <> '') AS l
  WHERE p.contract = 'csv-fx'
),
used AS MATERIALIZED (
  -- no window reaches further back than five years and the age that a rate may have
  SELECT * FROM line WHERE label IS NOT NULL AND rate > 0 AND label > (SELECT min(cutoff) - interval '70 months' FROM terms)
)
SELECT evidence, source_rank, base, quote, day, min(rate) AS rate
FROM (SELECT *, pg_temp.belongs_to(label, zone, days) AS day FROM used OFFSET 0) AS shifted
WHERE day IS NOT NULL
GROUP BY evidence, source_rank, base, quote, day
HAVING count(DISTINCT rate) = 1;

-- For each pair that is needed one source: the first that quotes it so, else the first that quotes the inverse.
CREATE TEMP TABLE pair_rate ON COMMIT DROP AS
WITH wanted AS (
  SELECT a AS base, b AS quote FROM unnest(ARRAY['KRW','USD']) AS a CROSS JOIN unnest(ARRAY['KRW','USD']) AS b WHERE a <> b
),
source AS (
  SELECT DISTINCT ON (w.base, w.quote) w.base, w.quote, p.evidence, (p.reading#>>'{pair,base}' <> w.base) AS inverse
  FROM wanted AS w JOIN payload AS p ON p.contract = 'csv-fx' AND p.body IS NOT NULL
   AND (p.reading#>>'{pair,base}', p.reading#>>'{pair,quote}') IN ((w.base, w.quote), (w.quote, w.base))
  ORDER BY w.base, w.quote, (p.reading#>>'{pair,base}' <> w.base), p.source_rank
)
SELECT s.base, s.quote, s.evidence, r.day, CASE WHEN s.inverse THEN pg_temp.wide(1) / r.rate ELSE r.rate END AS rate
FROM source AS s LEFT JOIN rate AS r USING (evidence);
CREATE INDEX ON pair_rate (base, quote, day);
ANALYZE pair_rate;
