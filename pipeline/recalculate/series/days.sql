-- One row a session of each instrument in scope, in one pass: the level and the one before it, the comparison product's level, and the
-- highest level so far since the start of one year, of three, and of the chart's window, which is five years if they are there.
CREATE TEMP TABLE since ON COMMIT DROP AS
SELECT w.instrument, w.series, min(w.start_session) FILTER (WHERE w."window" = '1y') AS start_1y, min(w.start_session) FILTER (WHERE w."window" = '3y') AS start_3y,
       min(s.start_session) AS start_chart, min(c.line) AS line
FROM total_window AS w JOIN instrument AS i USING (instrument)
LEFT JOIN chart_span AS s ON s.instrument = w.instrument LEFT JOIN compared AS c ON c.instrument = w.instrument
WHERE w.reason IS NULL AND i.in_scope GROUP BY w.instrument, w.series;
ANALYZE since;

CREATE TEMP TABLE day ON COMMIT DROP AS
SELECT series, session, level, lag(level) OVER w AS before, benchmark_session, benchmark, benchmark_reason,
       max(CASE WHEN session >= start_1y THEN level END) OVER w AS peak_1y, max(CASE WHEN session >= start_3y THEN level END) OVER w AS peak_3y,
       max(CASE WHEN session >= start_chart THEN level END) OVER w AS peak_chart,
       count(CASE WHEN session >= start_chart THEN 1 END) OVER w - 1 AS n
FROM (
  SELECT t.series, t.session, t.level, s.start_1y, s.start_3y, s.start_chart, b.benchmark_session, b.level AS benchmark, b.reason AS benchmark_reason
  FROM tri AS t JOIN since AS s USING (series) LEFT JOIN benchmark_at AS b ON b.line = s.line AND b.session = t.session
) AS t
WINDOW w AS (PARTITION BY series ORDER BY session ROWS UNBOUNDED PRECEDING);
ANALYZE day (series, session, n);

-- Sums over the daily returns of one year and of three.
CREATE TEMP TABLE daily_moment ON COMMIT DROP AS
WITH total AS (
  SELECT series, count(*) AS n_3y, sum(r) AS returns_3y, sum(r * r) AS squares_3y,
         count(*) FILTER (WHERE in_1y) AS n_1y, sum(r) FILTER (WHERE in_1y) AS returns_1y, sum(r * r) FILTER (WHERE in_1y) AS squares_1y
  FROM (SELECT d.series, d.session > s.start_1y AS in_1y, round(d.level / d.before - 1, 34) AS r
        FROM day AS d JOIN since AS s USING (series) WHERE d.session > least(s.start_3y, s.start_1y) OFFSET 0) AS daily
  GROUP BY series
)
SELECT series, '1y' AS "window", n_1y AS n, returns_1y AS returns, squares_1y AS squares FROM total WHERE n_1y > 0
UNION ALL SELECT series, '3y', n_3y, returns_3y, squares_3y FROM total;
