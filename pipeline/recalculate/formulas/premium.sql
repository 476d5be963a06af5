-- close / NAV − 1 of the last session at or before the cutoff with both, at most 10 days before it.
-- prints: ratio as percent_signed
SELECT instrument, 'premium' AS fact, 'last' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(close) / nav - 1) END AS value
FROM (
  SELECT i.instrument, n.close, n.nav, CASE WHEN s.instrument IS NULL THEN 'SOURCE_MISSING' ELSE s.reason END AS reason
  FROM instrument AS i LEFT JOIN nav_source AS s USING (instrument)
  LEFT JOIN nav AS n ON n.instrument = i.instrument AND n.evidence = s.evidence AND n.session = s.end_session WHERE i.in_scope
) AS last;
