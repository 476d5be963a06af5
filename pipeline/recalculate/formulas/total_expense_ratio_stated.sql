-- What each source states, one row a source; the window is the source id.
-- prints: ratio as percent_stated
SELECT s.instrument, 'total_expense_ratio_stated' AS fact, s.source_id AS "window", 'OK' AS status, NULL AS reason, pg_temp.exact(s.value::numeric) AS value
FROM stated AS s WHERE s.field = 'total_expense_ratio';
