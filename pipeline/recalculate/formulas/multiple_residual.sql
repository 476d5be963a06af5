-- Exposure multiple other than 1: TRI of the last kept pair / of the first − 1, less multiple_compounded.
-- prints: ratio as points_signed
SELECT instrument, 'multiple_residual' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(own_return - compounded) END AS value
FROM (SELECT instrument, own_return, compounded, CASE WHEN m = 1 THEN 'NOT_APPLICABLE' ELSE reason END AS reason FROM pair_moment) AS moment;
