-- Session of the lowest close of 52 weeks, the latest if tied.
-- prints: date as date
SELECT instrument, 'low_52w_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN low_on::text END AS value
FROM range_52w;
