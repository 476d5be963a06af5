-- The comparison product's level at the instrument's end session / at its start session − 1 (rule in
-- series/benchmark.sql).
SELECT instrument, 'benchmark_return' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(e_level / s_level - 1) END AS value
FROM (
  SELECT w.instrument, w."window", s.level AS s_level, e.level AS e_level, pg_temp.reason(k.reason, w.reason, s.reason, e.reason) AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument) JOIN benchmark_state AS k USING (instrument)
  LEFT JOIN benchmark_level AS s ON s.instrument = w.instrument AND s.session = w.start_session
  LEFT JOIN benchmark_level AS e ON e.instrument = w.instrument AND e.session = w.end_session
  WHERE w."window" IN ('1y', '3y') AND i.in_scope
) AS ends;
