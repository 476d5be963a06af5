-- (last close − low) / (high − low) of 52 weeks; FLAT_RANGE where they are equal.
-- prints: ratio as percent_1
SELECT instrument, 'position_52w' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(last - low) / (high - low)) END AS value
FROM (
  SELECT r.instrument, r.high, r.low, q.value AS last, coalesce(r.reason, CASE WHEN r.high = r.low THEN 'FLAT_RANGE' END) AS reason
  FROM range_52w AS r JOIN chosen AS c ON c.instrument = r.instrument AND c.role = 'price'
  LEFT JOIN quote AS q ON q.series = c.series AND q.session = c.end_session
) AS year;
