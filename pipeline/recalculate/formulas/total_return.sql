-- TRI(end) / TRI(start) − 1.
-- prints: ratio as percent_signed
SELECT instrument, 'total_return' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - 1) END AS value
FROM total_window;
