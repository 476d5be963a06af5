-- csv-bars: lines to bars. A line without a date is no bar. Identical repeats of a date count once; where repeats differ no
-- bar of that date is used. What makes a bar usable is left to the series that reads its close or adjusted close.
CREATE TEMP TABLE bar_file ON COMMIT DROP AS
SELECT row_number() OVER ()::int AS file, p.evidence, p.instrument, p.source_rank, p.reading, i.market, i.cutoff, p.body IS NOT NULL AS readable,
       array_position(p.header, p.reading#>>'{columns,session}') AS at_session,
       array_position(p.header, p.reading#>>'{columns,close}') AS at_close,
       array_position(p.header, p.reading#>>'{columns,adjusted_close}') AS at_adjusted,
       array_position(p.header, p.reading#>>'{columns,volume}') AS at_volume,
       array_position(p.header, p.reading#>>'{columns,open}') AS at_open,
       array_position(p.header, p.reading#>>'{columns,high}') AS at_high,
       array_position(p.header, p.reading#>>'{columns,low}') AS at_low
FROM payload AS p JOIN instrument AS i USING (instrument, market)
WHERE p.contract = 'csv-bars';

CREATE TEMP TABLE bar_line ON COMMIT DROP AS
SELECT b.file, l.n::int AS n, l.line, split_part(l.line, ',', b.at_session) AS label
FROM bar_file AS b JOIN payload AS p USING (evidence)
CROSS JOIN LATERAL string_to_table(p.body, E'\n') WITH ORDINALITY AS l(line, n)
WHERE b.at_session IS NOT NULL;

-- Each spelling of a date is read once.
CREATE TEMP TABLE bar_day ON COMMIT DROP AS
SELECT label, session FROM (SELECT label, pg_temp.day(label) AS session FROM (SELECT DISTINCT label FROM bar_line) AS spelling OFFSET 0) AS read
WHERE session IS NOT NULL;
ANALYZE bar_day;

CREATE TEMP TABLE bar_dated ON COMMIT DROP AS
SELECT l.file, d.session, l.n, l.line FROM bar_line AS l JOIN bar_day AS d USING (label) JOIN bar_file AS b USING (file) WHERE d.session <= b.cutoff;

-- No window reaches behind the last session 61 months before the cutoff; a month more is kept in case that bar is unusable.
CREATE TEMP TABLE bar_horizon ON COMMIT DROP AS
SELECT d.file, coalesce(max(d.session) FILTER (WHERE d.session <= b.cutoff - interval '61 months') - 31, '-infinity') AS from_session
FROM bar_dated AS d JOIN bar_file AS b USING (file) GROUP BY d.file;
ANALYZE bar_horizon;

-- Of repeated dates the first row, if all of them say the same.
CREATE TEMP TABLE bar_repeat ON COMMIT DROP AS
WITH repeated AS (
  SELECT d.file, d.session, min(d.n) AS first_n FROM bar_dated AS d JOIN bar_horizon AS h USING (file)
  WHERE d.session >= h.from_session GROUP BY d.file, d.session HAVING count(*) > 1
)
SELECT r.file, r.session, r.first_n,
       count(DISTINCT ARRAY[pg_temp.numeral(l.f[b.at_open]), pg_temp.numeral(l.f[b.at_high]), pg_temp.numeral(l.f[b.at_low]),
                            pg_temp.numeral(l.f[b.at_close]), pg_temp.numeral(l.f[b.at_adjusted]), pg_temp.numeral(l.f[b.at_volume])]) > 1 AS differs
FROM repeated AS r JOIN bar_file AS b USING (file) JOIN bar_dated AS d USING (file, session)
CROSS JOIN LATERAL (SELECT string_to_array(d.line, ',') AS f) AS l
GROUP BY r.file, r.session, r.first_n;
ANALYZE bar_repeat;

CREATE TEMP TABLE bar ON COMMIT DROP AS
SELECT d.file, d.session, pg_temp.numeral(l.f[b.at_close]) AS close, pg_temp.numeral(l.f[b.at_adjusted]) AS adjusted_close, pg_temp.numeral(l.f[b.at_volume]) AS volume
FROM bar_dated AS d JOIN bar_file AS b USING (file) JOIN bar_horizon AS h USING (file)
LEFT JOIN bar_repeat AS x ON x.file = d.file AND x.session = d.session
CROSS JOIN LATERAL (SELECT string_to_array(d.line, ',') AS f OFFSET 0) AS l
WHERE d.session >= h.from_session AND (x.file IS NULL OR (NOT x.differs AND x.first_n = d.n));
ANALYZE bar;
