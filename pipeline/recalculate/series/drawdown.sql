-- Falls from the highest level so far. `spell`: the sessions over which one highest level of a window stands, from the session that
-- set it; the deepest fall of a spell is at its lowest level. Ratios are rounded to 30 decimals, so that equal falls are equal.
CREATE TEMP TABLE deepest ON COMMIT DROP AS
WITH run AS (
  SELECT t.instrument, w."window", t.session, t.level, max(t.level) OVER (PARTITION BY t.instrument, w."window" ORDER BY t.session ROWS UNBOUNDED PRECEDING) AS peak
  FROM total_window AS w JOIN instrument AS i USING (instrument) JOIN tri AS t ON t.instrument = w.instrument AND t.session BETWEEN w.start_session AND w.end_session
  WHERE w.reason IS NULL AND i.in_scope AND (w."window" IN ('1y', '3y', '5y') OR w."window" = (SELECT "window" FROM chart_span AS c WHERE c.instrument = w.instrument))
),
spell AS (
  SELECT instrument, "window", peak, min(session) AS peak_on, min(level) AS low, round(min(level) / peak, 30) - 1 AS fall FROM run GROUP BY instrument, "window", peak
),
-- the earliest trough if tied
worst AS (
  SELECT DISTINCT ON (instrument, "window") * FROM spell ORDER BY instrument, "window", fall, peak_on
),
trough AS (
  SELECT w.instrument, w."window", w.fall, w.peak, w.peak_on, min(t.session) AS trough
  FROM worst AS w JOIN tri AS t ON t.instrument = w.instrument AND t.session >= w.peak_on AND t.level = w.low GROUP BY 1, 2, 3, 4, 5
)
SELECT d.instrument, d."window", d.fall, d.trough, d.peak_on, min(t.session) AS recovery_on
FROM trough AS d JOIN total_window AS w USING (instrument, "window")
LEFT JOIN tri AS t ON t.instrument = d.instrument AND t.session > d.trough AND t.session <= w.end_session AND t.level >= d.peak
GROUP BY 1, 2, 3, 4, 5;
