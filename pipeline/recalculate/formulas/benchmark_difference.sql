-- total_return − benchmark_return; exposure multiple 1 only.
-- prints: ratio as points_signed
SELECT instrument, 'benchmark_difference' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - e_level / s_level) END AS value
FROM (SELECT instrument, "window", start_level, end_level, s_level, e_level, CASE WHEN multiple <> 1 THEN 'NOT_APPLICABLE' ELSE reason END AS reason
      FROM benchmark_window) AS ends;
