-- First session after the trough with TRI at or above the peak's, up to the end session; NOT_RECOVERED if none;
-- NOT_APPLICABLE when there was no fall.
-- prints: date as date
SELECT instrument, 'max_drawdown_recovery_on' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN recovery_on::text END AS value
FROM (
  SELECT w.instrument, w."window", d.recovery_on, coalesce(w.reason, CASE WHEN d.fall = 0 THEN 'NOT_APPLICABLE' WHEN d.recovery_on IS NULL THEN 'NOT_RECOVERED' END) AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument) LEFT JOIN deepest AS d ON d.instrument = w.instrument AND d."window" = w."window"
  WHERE w."window" IN ('1y', '3y', '5y') AND i.in_scope
) AS fall;
