-- Fall from the highest level so far, at each session from the start of a window to its end. The ratio is rounded to 30
-- decimals, so that equal falls are equal whatever the levels they come from.
CREATE TEMP TABLE drawdown ON COMMIT DROP AS
SELECT instrument, "window", session, level, peak, round(level / peak, 30) - 1 AS fall
FROM (
  SELECT t.instrument, w."window", t.session, t.level, max(t.level) OVER (PARTITION BY t.instrument, w."window" ORDER BY t.session) AS peak
  FROM total_window AS w JOIN instrument AS i USING (instrument) JOIN tri AS t ON t.instrument = w.instrument AND t.session BETWEEN w.start_session AND w.end_session
  WHERE w.reason IS NULL AND i.in_scope AND (w."window" IN ('1y', '3y', '5y') OR w."window" = (
    SELECT c."window" FROM total_window AS c WHERE c.instrument = w.instrument AND c.reason IS NULL AND c."window" IN ('5y','3y','1y','6m','3m','1m')
    ORDER BY c.ordinal DESC LIMIT 1))
) AS run;
ANALYZE drawdown;

-- The deepest one: the earliest trough, the earliest session of its peak, the first session at the peak again.
CREATE TEMP TABLE deepest ON COMMIT DROP AS
WITH lowest AS (
  SELECT instrument, "window", min(fall) AS fall FROM drawdown WHERE "window" IN ('1y', '3y', '5y') GROUP BY instrument, "window"
),
trough AS MATERIALIZED (
  SELECT DISTINCT ON (d.instrument, d."window") d.* FROM lowest AS l JOIN drawdown AS d USING (instrument, "window", fall)
  ORDER BY d.instrument, d."window", d.session
)
SELECT d.instrument, d."window", d.fall, d.session AS trough,
       (SELECT p.session FROM tri AS p WHERE p.instrument = d.instrument AND p.session BETWEEN w.start_session AND d.session AND p.level = d.peak
        ORDER BY p.session LIMIT 1) AS peak_on,
       (SELECT r.session FROM tri AS r WHERE r.instrument = d.instrument AND r.session > d.session AND r.session <= w.end_session AND r.level >= d.peak
        ORDER BY r.session LIMIT 1) AS recovery_on
FROM trough AS d JOIN total_window AS w USING (instrument, "window");
ANALYZE deepest;
