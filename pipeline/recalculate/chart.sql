-- Chart points. total_return and benchmark are rebased to 100 at the start session, drawdown is the fall from the highest level so far.
-- Thinned by every-nth/v1: every n-th session, n = ceil(sessions / 360), the last, and each line's earliest highest and earliest lowest
-- level; what is kept is kept for every line alike. The highest point of a drawdown is the first session, its lowest the trough.
WITH shown AS NOT MATERIALIZED (
  SELECT series, session, n, level, peak_chart AS peak, CASE WHEN benchmark_reason IS NULL THEN benchmark END AS benchmark FROM day WHERE n >= 0
),
range AS MATERIALIZED (
  SELECT series, count(*) AS total, ceil(count(*) / 360.0)::int AS step, max(level) AS highest, min(level) AS lowest,
         max(benchmark) AS benchmark_highest, min(benchmark) AS benchmark_lowest, bool_or(n = 0 AND benchmark IS NOT NULL) AS has_benchmark
  FROM shown GROUP BY series
),
-- every session that may be kept, later ones of equal levels among them
offered AS MATERIALIZED (
  SELECT * FROM shown AS s JOIN range AS r USING (series)
  WHERE s.n % r.step = 0 OR s.n = r.total - 1 OR s.level IN (r.highest, r.lowest) OR (r.has_benchmark AND s.benchmark IN (r.benchmark_highest, r.benchmark_lowest))
),
kept AS MATERIALIZED (
  SELECT series, session FROM offered WHERE n % step = 0 OR n = total - 1
  UNION SELECT series, min(session) FROM offered WHERE level IN (highest, lowest) GROUP BY series, level
  UNION SELECT series, min(session) FROM offered WHERE has_benchmark AND benchmark IN (benchmark_highest, benchmark_lowest) GROUP BY series, benchmark
  UNION SELECT series, trough FROM deepest JOIN chart_span USING (series, "window")
  UNION SELECT m.series, min(m.session) FROM chart_median AS m JOIN (SELECT series, max(level) AS highest, min(level) AS lowest FROM chart_median GROUP BY series) AS r USING (series)
    WHERE m.level IN (r.highest, r.lowest) GROUP BY m.series, m.level
),
point AS MATERIALIZED (
  SELECT s.*, c.instrument, c."window", c.start_session, c.end_session, c.start_level, m.level AS median,
         first_value(s.benchmark) OVER (PARTITION BY s.series ORDER BY s.session) AS start_benchmark
  FROM kept JOIN shown AS s USING (series, session) JOIN chart_span AS c USING (series) LEFT JOIN chart_median AS m USING (series, session)
)
SELECT p.instrument, p."window", p.start_session, p.end_session, l.series, p.session, trim_scale(l.level)::text AS level
FROM point AS p CROSS JOIN LATERAL (
  SELECT 'total_return' COLLATE "C" AS series, round(p.level / p.start_level * 100, 16) AS level
  UNION ALL SELECT 'drawdown', round(p.level / p.peak, 30) - 1
  UNION ALL SELECT 'benchmark', round(p.benchmark / p.start_benchmark * 100, 16)
  UNION ALL SELECT 'peer_median', p.median
) AS l
WHERE l.level IS NOT NULL;
