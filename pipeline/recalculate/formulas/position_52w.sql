-- (last close − low) / (high − low) of 52 weeks; FLAT_RANGE where they are equal.
SELECT instrument, 'position_52w' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(last - low) / (high - low)) END AS value
FROM (
  SELECT c.instrument, x.high, x.low, l.level AS last,
         coalesce(c.reason, CASE WHEN c.first_session > c.cutoff - interval '12 months' THEN 'INSUFFICIENT_HISTORY' WHEN x.high = x.low THEN 'FLAT_RANGE' END) AS reason
  FROM chosen AS c
  LEFT JOIN price AS l ON l.instrument = c.instrument AND l.session = c.end_session
  LEFT JOIN LATERAL (SELECT max(p.level) AS high, min(p.level) AS low FROM price AS p
    WHERE p.instrument = c.instrument AND p.session > c.cutoff - interval '12 months') AS x ON true
  WHERE c.role = 'price'
) AS year;
