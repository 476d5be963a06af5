-- Sample standard deviation (n − 1) of r − m × r_benchmark over aligned pairs, × √252.
-- prints: ratio as percent
SELECT instrument, 'tracking_error' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(sqrt(pg_temp.wide(ee) * 252 / (n - 1))) END AS value
FROM pair_moment;
