-- Chart points: the lines of series/chart.sql thinned by every-nth/v1: every n-th session, n = ceil(sessions / 360), the last, and
-- each line's earliest highest and earliest lowest level; what is kept is kept for every line alike. The highest point of a
-- drawdown is the first session, its lowest the trough of the deepest fall.
WITH range AS (
  SELECT instrument, count(*) AS total, max(level) AS highest, min(level) AS lowest, max(benchmark) AS benchmark_highest, min(benchmark) AS benchmark_lowest
  FROM chart_session GROUP BY instrument
),
median_range AS (
  SELECT instrument, max(level) AS highest, min(level) AS lowest FROM chart_median GROUP BY instrument
),
kept AS (
  SELECT s.instrument, s.session FROM chart_session AS s JOIN range AS r USING (instrument) WHERE s.n % ceil(r.total / 360.0)::int = 0 OR s.n = r.total - 1
  UNION SELECT s.instrument, min(s.session) FROM chart_session AS s JOIN range AS r ON r.instrument = s.instrument AND s.level IN (r.highest, r.lowest) GROUP BY s.instrument, s.level
  UNION SELECT s.instrument, min(s.session) FROM chart_session AS s JOIN range AS r ON r.instrument = s.instrument AND s.benchmark IN (r.benchmark_highest, r.benchmark_lowest)
        GROUP BY s.instrument, s.benchmark
  UNION SELECT m.instrument, min(m.session) FROM chart_median AS m JOIN median_range AS r ON r.instrument = m.instrument AND m.level IN (r.highest, r.lowest) GROUP BY m.instrument, m.level
  UNION SELECT d.instrument, d.trough FROM deepest AS d JOIN chart_span AS s USING (instrument, "window")
),
point AS MATERIALIZED (
  SELECT s.*, p.start_level, first_value(s.benchmark) OVER (PARTITION BY s.instrument ORDER BY s.session) AS start_benchmark
  FROM kept AS k JOIN chart_session AS s USING (instrument, session) JOIN chart_span AS p USING (instrument)
),
line AS (
  SELECT instrument, session, 'total_return' AS series, round(level / start_level * 100, 16) AS level FROM point
  UNION ALL SELECT instrument, session, 'drawdown', round(level / peak, 30) - 1 FROM point
  UNION ALL SELECT instrument, session, 'benchmark', round(benchmark / start_benchmark * 100, 16) FROM point WHERE benchmark IS NOT NULL
  UNION ALL SELECT instrument, session, 'peer_median', level FROM chart_median JOIN kept USING (instrument, session)
)
SELECT l.instrument, s."window", s.start_session, s.end_session, l.series, l.session, trim_scale(l.level)::text AS level
FROM line AS l JOIN chart_span AS s USING (instrument)
ORDER BY l.instrument, l.series, l.session;
