-- P(end) / P(start) − 1 on split_adjusted closes.
-- prints: ratio as percent_signed
SELECT instrument, 'price_return' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - 1) END AS value
FROM (
  SELECT w.instrument, w."window", w.reason, pg_temp.wide(e.value) AS end_level, s.value AS start_level
  FROM "window" AS w
  LEFT JOIN quote AS s ON s.series = w.series AND s.session = w.start_session
  LEFT JOIN quote AS e ON e.series = w.series AND e.session = w.end_session
  WHERE w.role = 'price_return'
) AS ends;
