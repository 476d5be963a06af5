-- The deepest fall of each window. A spell is the sessions over which one highest level stands, from the session that set it; its
-- deepest fall is at its lowest level. Ratios are rounded to 30 decimals, so that equal falls are equal.
CREATE TEMP TABLE deepest ON COMMIT DROP AS
WITH lowest AS (
  SELECT d.series, s."window", d.peak_chart AS peak, min(d.session) AS peak_on, min(d.level) AS low
  FROM day AS d JOIN chart_span AS s USING (series) WHERE d.n >= 0 GROUP BY d.series, s."window", d.peak_chart
  UNION ALL
  SELECT d.series, '1y', d.peak_1y, min(d.session), min(d.level)
  FROM day AS d JOIN chart_span AS s USING (series) WHERE d.peak_1y IS NOT NULL AND s."window" <> '1y' GROUP BY d.series, d.peak_1y
  UNION ALL
  SELECT d.series, '3y', d.peak_3y, min(d.session), min(d.level)
  FROM day AS d JOIN chart_span AS s USING (series) WHERE d.peak_3y IS NOT NULL AND s."window" <> '3y' GROUP BY d.series, d.peak_3y
),
spell AS MATERIALIZED (
  SELECT *, round(low / peak, 30) - 1 AS fall FROM lowest
),
-- the earliest if tied
worst AS MATERIALIZED (
  SELECT DISTINCT ON (series, "window") * FROM spell JOIN (SELECT series, "window", min(fall) AS fall FROM spell GROUP BY series, "window") AS least USING (series, "window", fall)
  ORDER BY series, "window", peak_on
),
trough AS MATERIALIZED (
  SELECT w.*, (SELECT t.session FROM tri AS t WHERE t.series = w.series AND t.session >= w.peak_on AND t.level = w.low ORDER BY t.session LIMIT 1) AS trough FROM worst AS w
)
SELECT s.instrument, d.series, d."window", d.fall, d.trough, d.peak_on,
       (SELECT t.session FROM tri AS t WHERE t.series = d.series AND t.session > d.trough AND t.session <= c.end_session AND t.level >= d.peak ORDER BY t.session LIMIT 1) AS recovery_on
FROM trough AS d JOIN since AS s USING (series) JOIN chosen AS c ON c.instrument = s.instrument AND c.role = 'total_return';
