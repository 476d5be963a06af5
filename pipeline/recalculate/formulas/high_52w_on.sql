-- Session of the highest close of 52 weeks, the latest if tied.
SELECT instrument, 'high_52w_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN session::text END AS value
FROM (
  SELECT c.instrument, coalesce(c.reason, CASE WHEN c.first_session > c.cutoff - interval '12 months' THEN 'INSUFFICIENT_HISTORY' END) AS reason, x.*
  FROM chosen AS c LEFT JOIN LATERAL (
    SELECT p.session, p.level FROM price AS p WHERE p.instrument = c.instrument AND p.session > c.cutoff - interval '12 months'
    ORDER BY p.level DESC, p.session DESC LIMIT 1
  ) AS x ON true WHERE c.role = 'price'
) AS year;
