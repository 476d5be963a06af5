-- Lowest close over the sessions in (cutoff − 12 months, cutoff].
SELECT instrument, 'low_52w' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(level) END AS value
FROM (
  SELECT c.instrument, coalesce(c.reason, CASE WHEN c.first_session > c.cutoff - interval '12 months' THEN 'INSUFFICIENT_HISTORY' END) AS reason, x.*
  FROM chosen AS c LEFT JOIN LATERAL (
    SELECT p.session, p.level FROM price AS p WHERE p.instrument = c.instrument AND p.session > c.cutoff - interval '12 months'
    ORDER BY p.level ASC, p.session DESC LIMIT 1
  ) AS x ON true WHERE c.role = 'price'
) AS year;
