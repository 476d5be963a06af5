-- Lowest close over the sessions in (cutoff − 12 months, cutoff].
-- prints: price as price
SELECT instrument, 'low_52w' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(low) END AS value
FROM range_52w;
