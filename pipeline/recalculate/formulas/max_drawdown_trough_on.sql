-- Session of the deepest fall, the earliest if tied; NOT_APPLICABLE when there was no fall.
-- prints: date as date
SELECT instrument, 'max_drawdown_trough_on' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN trough::text END AS value
FROM (
  SELECT w.instrument, w."window", d.trough, coalesce(w.reason, CASE WHEN d.fall = 0 THEN 'NOT_APPLICABLE' END) AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument) LEFT JOIN deepest AS d ON d.instrument = w.instrument AND d."window" = w."window"
  WHERE w."window" IN ('1y', '3y', '5y') AND i.in_scope
) AS fall;
