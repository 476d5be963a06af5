-- Close of the end session, split_adjusted, else as_traded.
-- prints: price as price
SELECT instrument, 'last_close' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(level) END AS value
FROM (
  SELECT c.instrument, c.reason, q.value AS level FROM chosen AS c LEFT JOIN quote AS q ON q.series = c.series AND q.session = c.end_session
  WHERE c.role = 'price'
) AS last;
