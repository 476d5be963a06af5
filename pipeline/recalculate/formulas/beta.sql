-- Covariance of the returns between aligned pairs / variance of the comparison's; at least 200 returns.
-- prints: number as number_2
SELECT instrument, 'beta' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(rb) / bb) END AS value
FROM (SELECT instrument, rb, bb, coalesce(reason, CASE WHEN bb = 0 THEN 'FLAT_RANGE' END) AS reason FROM pair_moment) AS moment;
