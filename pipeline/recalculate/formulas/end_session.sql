-- Last session of the series that total_return rests on.
-- prints: date as date
SELECT instrument, 'end_session' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN end_session::text END AS value
FROM chosen WHERE role = 'total_return';
