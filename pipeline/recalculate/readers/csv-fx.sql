-- csv-fx: positive rates by the day they belong to. Where the source declares a label shift, a label in summer time of the
-- zone moves: its noon is further from UTC than the lesser of the noons of 1 January and 1 July. Blank rates are skipped.
CREATE FUNCTION pg_temp.noon_offset(day date, zone text) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT ((day + time '12:00') AT TIME ZONE 'UTC' AT TIME ZONE zone) - (day + time '12:00')
$$;
-- Noon's least offset of a year; null in a zone that nobody knows.
CREATE FUNCTION pg_temp.winter_offset(year int, zone text) RETURNS interval LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN least(pg_temp.noon_offset(make_date(year, 1, 1), zone), pg_temp.noon_offset(make_date(year, 7, 1), zone));
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $$;

-- `winter` is what pg_temp.winter_offset gives for the label's year.
CREATE FUNCTION pg_temp.belongs_to(label date, zone text, days int, winter interval) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN zone IS NULL THEN label WHEN winter IS NULL THEN NULL WHEN pg_temp.noon_offset(label, zone) > winter THEN label + days ELSE label END
$$;

CREATE TEMP TABLE rate ON COMMIT DROP AS
WITH line AS MATERIALIZED (
  SELECT p.evidence, ltrim(split_part(l.line, ',', p.at_date)) AS label, split_part(l.line, ',', p.at_rate) AS rate
  FROM (SELECT evidence, body, array_position(header, reading#>>'{columns,date}') AS at_date, array_position(header, reading#>>'{columns,rate}') AS at_rate
        FROM payload WHERE contract = 'csv-fx' OFFSET 0) AS p
  CROSS JOIN LATERAL string_to_table(p.body, E'\n') AS l(line)
),
-- no window reaches further back than five years and the age that a rate may have
used AS MATERIALIZED (
  SELECT evidence, pg_temp.day(label) AS label, pg_temp.numeral(rate) AS rate FROM line
  WHERE label COLLATE "C" >= (SELECT to_char(min(cutoff) - interval '61 months', 'YYYY') FROM terms)
),
term AS MATERIALIZED (
  SELECT evidence, reading#>>'{label_shift,zone}' AS zone, (reading#>>'{label_shift,days_in_summer_time}')::int AS days FROM payload WHERE contract = 'csv-fx'
),
winter AS MATERIALIZED (
  SELECT evidence, year, pg_temp.winter_offset(year, zone) AS least
  FROM (SELECT DISTINCT u.evidence, extract(year FROM u.label)::int AS year, t.zone FROM used AS u JOIN term AS t USING (evidence) WHERE u.label IS NOT NULL AND t.zone IS NOT NULL) AS y
),
shifted AS (
  SELECT u.evidence, u.rate, pg_temp.belongs_to(u.label, t.zone, t.days, w.least) AS day
  FROM used AS u JOIN term AS t USING (evidence) LEFT JOIN winter AS w ON w.evidence = u.evidence AND w.year = extract(year FROM u.label)
  WHERE u.label IS NOT NULL AND u.rate > 0 OFFSET 0
)
SELECT evidence, day, min(rate) AS rate FROM shifted WHERE day IS NOT NULL
GROUP BY evidence, day HAVING count(DISTINCT rate) = 1;

-- For each pair that is needed one source: the first that quotes it so, else the first that quotes the inverse.
CREATE TEMP TABLE pair_rate ON COMMIT DROP AS
WITH wanted AS (
  SELECT a COLLATE "C" AS base, b COLLATE "C" AS quote FROM unnest(ARRAY['KRW','USD']) AS a CROSS JOIN unnest(ARRAY['KRW','USD']) AS b WHERE a <> b
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
