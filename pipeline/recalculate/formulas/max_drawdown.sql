-- min over sessions t in [start, end] of TRI(t) / max(TRI(s): start ≤ s ≤ t) − 1.
-- prints: ratio as percent
SELECT instrument, 'max_drawdown' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(fall) END AS value
FROM (
  SELECT w.instrument, w."window", w.reason, d.fall
  FROM total_window AS w JOIN instrument AS i USING (instrument) LEFT JOIN deepest AS d ON d.instrument = w.instrument AND d."window" = w."window"
  WHERE w."window" IN ('1y', '3y', '5y') AND i.in_scope
) AS fall;
