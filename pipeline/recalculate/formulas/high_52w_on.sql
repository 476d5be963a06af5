-- Session of the highest close of 52 weeks, the latest if tied.
-- prints: date as date
SELECT instrument, 'high_52w_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN high_on::text END AS value
FROM range_52w;
