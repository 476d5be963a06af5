-- total_return − benchmark_return; exposure multiple 1 only.
SELECT instrument, 'benchmark_difference' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - e_level / s_level) END AS value
FROM (
  SELECT b.instrument, b."window", b.start_level, b.end_level, b.s_level, b.e_level, CASE WHEN i.multiple <> 1 THEN 'NOT_APPLICABLE' ELSE b.reason END AS reason
  FROM benchmark_window AS b JOIN instrument AS i USING (instrument)
) AS ends;
