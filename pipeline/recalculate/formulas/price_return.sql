-- P(end) / P(start) − 1 on split_adjusted closes.
SELECT instrument, 'price_return' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_level / start_level - 1) END AS value
FROM (
  SELECT w.instrument, w."window", w.reason, e.level AS end_level, s.level AS start_level
  FROM "window" AS w
  LEFT JOIN price_return_level AS s ON s.instrument = w.instrument AND s.session = w.start_session
  LEFT JOIN price_return_level AS e ON e.instrument = w.instrument AND e.session = w.end_session
  WHERE w.role = 'price_return'
) AS ends;
