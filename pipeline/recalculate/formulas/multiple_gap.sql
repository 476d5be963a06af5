-- Exposure multiple other than 1: total_return − m × benchmark_return; NOT_APPLICABLE when m × benchmark_return ≤ −1.
SELECT instrument, 'multiple_gap' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - 1 - multiple * (e_level / s_level - 1)) END AS value
FROM (
  SELECT w.instrument, w."window", i.multiple, w.start_level, w.end_level, s.level AS s_level, e.level AS e_level,
         CASE WHEN i.multiple = 1 OR i.multiple * (e.level / s.level - 1) <= -1 THEN 'NOT_APPLICABLE'
              ELSE pg_temp.reason(k.reason, w.reason, s.reason, e.reason) END AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument) JOIN benchmark_state AS k USING (instrument)
  LEFT JOIN benchmark_level AS s ON s.instrument = w.instrument AND s.session = w.start_session
  LEFT JOIN benchmark_level AS e ON e.instrument = w.instrument AND e.session = w.end_session
  WHERE w."window" IN ('1y') AND i.in_scope
) AS ends;
