-- UTC date of retrieval of the statement that total_expense_ratio takes.
-- prints: date as date
SELECT instrument, 'total_expense_ratio_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN (retrieved_at AT TIME ZONE 'UTC')::date::text END AS value
FROM fee;
