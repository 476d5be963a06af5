-- Sample standard deviation (n − 1) of simple daily returns of the TRI between consecutive sessions in [start, end],
-- × √252; at least 200 returns a year.
SELECT instrument, 'volatility' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(sqrt(pg_temp.wide(squares) * 252 / (n - 1))) END AS value
FROM (
  SELECT w.instrument, w."window", s.n, s.squares,
         coalesce(w.reason, CASE WHEN coalesce(s.n, 0) < CASE w."window" WHEN '1y' THEN 200 ELSE 600 END THEN 'INSUFFICIENT_HISTORY' END) AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument)
  LEFT JOIN LATERAL (
    SELECT count(r) AS n, sum((r - mean) * (r - mean)) AS squares
    FROM (SELECT r, round(avg(r) OVER (), 40) AS mean FROM (
      SELECT t.level / lag(t.level) OVER (ORDER BY t.session) - 1 AS r FROM tri AS t
      WHERE t.instrument = w.instrument AND t.session BETWEEN w.start_session AND w.end_session) AS day WHERE r IS NOT NULL) AS days
  ) AS s ON w.reason IS NULL
  WHERE w."window" IN ('1y', '3y') AND i.in_scope
) AS sample;
