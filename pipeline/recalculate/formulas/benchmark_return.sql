-- The comparison product's level at the instrument's end session / at its start session − 1 (rule in
-- series/benchmark.sql).
-- prints: ratio as percent_signed
SELECT instrument, 'benchmark_return' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(e_level / s_level - 1) END AS value
FROM benchmark_window;
