-- Session of premium.last.
-- prints: date as date
SELECT instrument, 'premium_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN end_session::text END AS value
FROM (
  SELECT i.instrument, s.end_session, CASE WHEN s.instrument IS NULL THEN 'SOURCE_MISSING' ELSE s.reason END AS reason
  FROM instrument AS i LEFT JOIN nav_source AS s USING (instrument) WHERE i.in_scope
) AS last;
