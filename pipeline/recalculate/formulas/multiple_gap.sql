-- Exposure multiple other than 1: total_return − m × benchmark_return; NOT_APPLICABLE when m × benchmark_return ≤ −1.
SELECT instrument, 'multiple_gap' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - 1 - multiple * (e_level / s_level - 1)) END AS value
FROM (
  SELECT b.instrument, b."window", i.multiple, b.start_level, b.end_level, b.s_level, b.e_level,
         CASE WHEN i.multiple = 1 OR i.multiple * (b.e_level / b.s_level - 1) <= -1 THEN 'NOT_APPLICABLE' ELSE b.reason END AS reason
  FROM benchmark_window AS b JOIN instrument AS i USING (instrument) WHERE b."window" = '1y'
) AS ends;
