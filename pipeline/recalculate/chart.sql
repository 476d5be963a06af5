-- Chart points: the lines of series/chart.sql thinned by every-nth/v1: every n-th session, n = ceil(sessions / 360), the last, and
-- each line's earliest highest and earliest lowest level; what is kept is kept for every line alike.
WITH range AS (
  SELECT instrument, series, max(level) AS highest, min(level) AS lowest FROM chart_line GROUP BY instrument, series
),
extreme AS (
  SELECT r.instrument, r.series, min(l.session) FILTER (WHERE l.level = r.highest) AS high_on, min(l.session) FILTER (WHERE l.level = r.lowest) AS low_on
  FROM range AS r JOIN chart_line AS l USING (instrument, series) WHERE l.level IN (r.highest, r.lowest) GROUP BY r.instrument, r.series
),
kept AS (
  SELECT instrument, session FROM chart_session WHERE n % ceil(total / 360.0)::int = 0 OR n = total - 1
  UNION SELECT instrument, high_on FROM extreme
  UNION SELECT instrument, low_on FROM extreme
)
SELECT l.instrument, s."window", s.start_session, s.end_session, l.series, l.session, pg_temp.exact(l.level) AS level
FROM chart_line AS l JOIN kept AS k USING (instrument, session) JOIN chart_span AS s USING (instrument)
ORDER BY l.instrument, l.series, l.session;
