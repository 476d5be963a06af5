-- Windows: end session of the series and start session, the last one at or before the anchor (1d: the one before the end).
-- None: INSUFFICIENT_HISTORY. More than 10 calendar days before the anchor: GAP_AT_START. Never a shorter window.
CREATE TEMP TABLE "window" ON COMMIT DROP AS
SELECT c.instrument, c.role, s."window", s.ordinal, c.end_session,
       CASE WHEN c.reason IS NULL AND b.reason IS NULL THEN b.start_session END AS start_session,
       coalesce(c.reason, b.reason) AS reason
FROM chosen AS c CROSS JOIN span AS s
CROSS JOIN LATERAL (SELECT coalesce(pg_temp.anchor(s."window", c.cutoff), c.end_session - 1) AS anchor) AS a
CROSS JOIN LATERAL (
  SELECT CASE c.role
    WHEN 'total_return' THEN (SELECT t.session FROM tri AS t WHERE t.instrument = c.instrument AND t.session <= a.anchor ORDER BY t.session DESC LIMIT 1)
    ELSE (SELECT p.session FROM price_return_level AS p WHERE p.instrument = c.instrument AND p.session <= a.anchor ORDER BY p.session DESC LIMIT 1)
  END AS start_session
) AS l
CROSS JOIN LATERAL (SELECT l.start_session, CASE WHEN l.start_session IS NULL THEN 'INSUFFICIENT_HISTORY'
                           WHEN s."window" <> '1d' AND a.anchor - l.start_session > 10 THEN 'GAP_AT_START' END AS reason) AS b
WHERE c.role IN ('total_return', 'price_return');

-- The instrument's total-return level at both ends.
CREATE TEMP TABLE total_window ON COMMIT DROP AS
SELECT w.instrument, w."window", w.ordinal, w.start_session, w.end_session, w.reason, s.level AS start_level, e.level AS end_level
FROM "window" AS w
LEFT JOIN tri AS s ON s.instrument = w.instrument AND s.session = w.start_session
LEFT JOIN tri AS e ON e.instrument = w.instrument AND e.session = w.end_session
WHERE w.role = 'total_return';
CREATE INDEX ON total_window (instrument, "window");
ANALYZE total_window;
