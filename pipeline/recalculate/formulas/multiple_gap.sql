-- Exposure multiple other than 1: total_return − m × benchmark_return; NOT_APPLICABLE when m × benchmark_return ≤ −1.
-- prints: ratio as points_signed
SELECT instrument, 'multiple_gap' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - 1 - multiple * (e_level / s_level - 1)) END AS value
FROM (
  SELECT instrument, "window", multiple, start_level, end_level, s_level, e_level,
         CASE WHEN multiple = 1 OR multiple * (e_level / s_level - 1) <= -1 THEN 'NOT_APPLICABLE' ELSE reason END AS reason
  FROM benchmark_window WHERE "window" = '1y'
) AS ends;
