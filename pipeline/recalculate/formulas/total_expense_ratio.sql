-- Stated ratio: the finest of the statements, if every two of them agree (readers/json-metadata.sql); otherwise CONFLICT.
-- prints: ratio as percent_stated
SELECT instrument, 'total_expense_ratio' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(value) END AS value
FROM fee;
