-- csv-bars: lines to bars. A line without a date is no bar, nor is one with more filled cells than the file has columns. Identical
-- repeats of a date count once; where repeats differ no bar of that date is used. What makes a bar usable is left to series/.
CREATE TEMP TABLE bar_file ON COMMIT DROP AS
SELECT row_number() OVER ()::int AS file, p.evidence, p.instrument, p.source_rank, p.reading, i.cutoff, p.body IS NOT NULL AS readable,
       cardinality(p.header) AS columns, a.session AS at_session, a.close AS at_close, a.adjusted AS at_adjusted,
       array_position(p.header, p.reading#>>'{columns,volume}') AS at_volume,
       array_position(p.header, p.reading#>>'{columns,open}') AS at_open,
       array_position(p.header, p.reading#>>'{columns,high}') AS at_high,
       array_position(p.header, p.reading#>>'{columns,low}') AS at_low,
       -- a file without sessions or without any close has nothing to give under its contract
       a.session IS NOT NULL AND (a.close IS NOT NULL OR a.adjusted IS NOT NULL) AS has_bars
FROM payload AS p JOIN instrument AS i USING (instrument, market)
CROSS JOIN LATERAL (SELECT array_position(p.header, p.reading#>>'{columns,session}') AS session,
                           array_position(p.header, p.reading#>>'{columns,close}') AS close,
                           array_position(p.header, p.reading#>>'{columns,adjusted_close}') AS adjusted) AS a
WHERE p.contract = 'csv-bars';
ANALYZE bar_file;

-- No window reaches behind the last session 60 months before a cutoff, so that a bar more than a month older says only that
-- there is one: older lines are read for files alone that have no usable bar between the two.
CREATE TEMP TABLE horizon ON COMMIT DROP AS
SELECT session, to_char(session, 'YYYY') COLLATE "C" AS year FROM (SELECT (min(cutoff) - interval '61 months')::date AS session FROM terms) AS oldest;

-- Each spelling of a date is read once. Every spelling begins with the year.
CREATE TEMP TABLE bar_line (file int, label text COLLATE "C", line text) ON COMMIT DROP;
CREATE TEMP TABLE bar_day (label text COLLATE "C", session date) ON COMMIT DROP;
CREATE TEMP TABLE bar_repeat (file int, session date) ON COMMIT DROP;

CREATE TEMP VIEW bar_row AS
SELECT file, d.session, l.line, b.at_open, b.at_high, b.at_low, b.at_close, b.at_adjusted, b.at_volume
FROM bar_line AS l JOIN bar_day AS d USING (label) JOIN bar_file AS b USING (file)
WHERE d.session <= b.cutoff
  -- the cell behind the last column is the mark; where it is not, there are more cells, which may be blank, or fewer
  AND CASE split_part(l.line || ',|', ',', b.columns + 1) WHEN '|' THEN true ELSE btrim(array_to_string((string_to_array(l.line, ','))[b.columns + 1:], '')) = '' END;

-- Volume serves few sessions and stays as it is written until one of them is asked for.
CREATE TEMP VIEW bar_read AS
SELECT file, session, pg_temp.numeral(close) AS close, pg_temp.numeral(adjusted) AS adjusted_close, volume
FROM (
  SELECT r.file, r.session, split_part(r.line, ',', r.at_close) AS close, split_part(r.line, ',', r.at_adjusted) AS adjusted, split_part(r.line, ',', r.at_volume) AS volume
  FROM bar_row AS r LEFT JOIN bar_repeat AS x ON x.file = r.file AND x.session = r.session WHERE x.file IS NULL OFFSET 0
) AS once
UNION ALL
SELECT file, session, min(close), min(adjusted), min(volume_text)
FROM (
  -- an open, high or low of 0 says as little as a blank one
  SELECT file, session, nullif(pg_temp.numeral(f[at_open]), 0) AS open, nullif(pg_temp.numeral(f[at_high]), 0) AS high,
         nullif(pg_temp.numeral(f[at_low]), 0) AS low, pg_temp.numeral(f[at_close]) AS close, pg_temp.numeral(f[at_adjusted]) AS adjusted,
         pg_temp.numeral(f[at_volume]) AS volume, f[at_volume] AS volume_text
  FROM bar_row JOIN bar_repeat USING (file, session) CROSS JOIN LATERAL (SELECT string_to_array(line, ',') AS f OFFSET 0) AS cells
) AS repeated
GROUP BY file, session HAVING count(DISTINCT ARRAY[open, high, low, close, adjusted, volume]) = 1;

INSERT INTO bar_line
SELECT file, label, line
FROM (
  SELECT l.file, ltrim(split_part(l.line, ',', l.at_session)) AS label, l.line
  FROM (SELECT b.file, b.at_session, string_to_table(p.body, E'\n') AS line FROM bar_file AS b JOIN payload AS p USING (evidence) WHERE b.has_bars) AS l
  OFFSET 0
) AS cut
WHERE label COLLATE "C" >= (SELECT year FROM horizon);

INSERT INTO bar_day
SELECT label, session FROM (SELECT label, pg_temp.day(label) AS session FROM (SELECT DISTINCT label FROM bar_line) AS spelling OFFSET 0) AS read
WHERE session >= (SELECT session FROM horizon);
ANALYZE bar_line, bar_day;

INSERT INTO bar_repeat
SELECT l.file, d.session FROM bar_line AS l JOIN bar_day AS d USING (label) GROUP BY l.file, d.session HAVING count(*) > 1;
ANALYZE bar_repeat;
CREATE TEMP TABLE bar ON COMMIT DROP AS SELECT * FROM bar_read;

-- The older lines, where they matter.
TRUNCATE bar_line, bar_day, bar_repeat;
INSERT INTO bar_line
WITH reach AS (
  SELECT file, min(session) FILTER (WHERE close > 0) AS close, min(session) FILTER (WHERE adjusted_close > 0) AS adjusted FROM bar GROUP BY file
)
SELECT file, label, line
FROM (
  SELECT b.file, ltrim(split_part(l.line, ',', b.at_session)) AS label, l.line
  FROM bar_file AS b LEFT JOIN reach AS r USING (file) JOIN payload AS p USING (evidence) CROSS JOIN LATERAL string_to_table(p.body, E'\n') AS l(line)
  WHERE b.has_bars AND ((b.at_close IS NOT NULL AND (r.close <= b.cutoff - interval '60 months') IS NOT TRUE)
                     OR (b.at_adjusted IS NOT NULL AND (r.adjusted <= b.cutoff - interval '60 months') IS NOT TRUE)) OFFSET 0
) AS cut
WHERE left(label, 4) COLLATE "C" <= (SELECT year FROM horizon);

INSERT INTO bar_day
SELECT label, session FROM (SELECT label, pg_temp.day(label) AS session FROM (SELECT DISTINCT label FROM bar_line) AS spelling OFFSET 0) AS read
WHERE session < (SELECT session FROM horizon);
INSERT INTO bar_repeat
SELECT l.file, d.session FROM bar_line AS l JOIN bar_day AS d USING (label) GROUP BY l.file, d.session HAVING count(*) > 1;
ANALYZE bar_repeat;
INSERT INTO bar SELECT * FROM bar_read;
ANALYZE bar (file);
