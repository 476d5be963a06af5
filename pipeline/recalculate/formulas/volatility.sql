-- Sample standard deviation (n − 1) of simple daily returns of the TRI between consecutive sessions in [start, end],
-- × √252; at least 200 returns a year.
-- prints: ratio as percent
SELECT instrument, 'volatility' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(sqrt(pg_temp.wide(squares) * 252 / (n - 1))) END AS value
FROM (
  -- squares about the mean from plain sums: NUMERIC loses nothing by it
  SELECT w.instrument, w."window", s.n, s.squares - s.returns * s.returns / s.n AS squares,
         coalesce(w.reason, CASE WHEN coalesce(s.n, 0) < CASE w."window" WHEN '1y' THEN 200 ELSE 600 END THEN 'INSUFFICIENT_HISTORY' END) AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument)
  LEFT JOIN daily_moment AS s ON s.series = w.series AND s."window" = w."window"
  WHERE w."window" IN ('1y', '3y') AND i.in_scope
) AS sample;
