-- total_return − benchmark_return; exposure multiple 1 only.
SELECT instrument, 'benchmark_difference' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - e_level / s_level) END AS value
FROM (
  SELECT w.instrument, w."window", w.start_level, w.end_level, s.level AS s_level, e.level AS e_level,
         CASE WHEN i.multiple <> 1 THEN 'NOT_APPLICABLE' ELSE pg_temp.reason(k.reason, w.reason, s.reason, e.reason) END AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument) JOIN benchmark_state AS k USING (instrument)
  LEFT JOIN benchmark_level AS s ON s.instrument = w.instrument AND s.session = w.start_session
  LEFT JOIN benchmark_level AS e ON e.instrument = w.instrument AND e.session = w.end_session
  WHERE w."window" IN ('1y', '3y') AND i.in_scope
) AS ends;
