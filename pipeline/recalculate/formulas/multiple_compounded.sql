-- Exposure multiple other than 1: product of (1 + m × r_benchmark) over aligned pairs, − 1: what the multiple, reset
-- daily, would have made.
-- prints: ratio as percent_signed
SELECT instrument, 'multiple_compounded' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(compounded) END AS value
FROM (SELECT instrument, compounded, CASE WHEN m = 1 THEN 'NOT_APPLICABLE' ELSE reason END AS reason FROM pair_moment) AS moment;
