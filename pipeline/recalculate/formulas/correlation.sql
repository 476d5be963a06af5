-- Correlation of the returns between aligned pairs; at least 200 returns.
-- prints: number as number_2
SELECT instrument, 'correlation' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(rb) / sqrt(round(rr * bb, 80))) END AS value
FROM (SELECT instrument, rb, bb, rr, coalesce(reason, CASE WHEN bb * rr = 0 THEN 'FLAT_RANGE' END) AS reason FROM pair_moment) AS moment;
