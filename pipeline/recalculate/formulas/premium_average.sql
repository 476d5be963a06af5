-- Mean of close / NAV − 1 over the last 20 such sessions.
-- prints: ratio as percent_signed
SELECT instrument, 'premium_average' AS fact, '20d' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(mean) END AS value
FROM (
  SELECT i.instrument, d.mean, CASE WHEN s.instrument IS NULL THEN 'SOURCE_MISSING' WHEN s.reason IS NOT NULL THEN s.reason
         WHEN d.n < 20 THEN 'INSUFFICIENT_HISTORY' END AS reason
  FROM instrument AS i LEFT JOIN nav_source AS s USING (instrument)
  LEFT JOIN LATERAL (SELECT count(*) AS n, sum(premium) / 20 AS mean FROM (
    SELECT pg_temp.wide(n.close) / n.nav - 1 AS premium FROM nav AS n
    WHERE n.instrument = i.instrument AND n.evidence = s.evidence ORDER BY n.session DESC LIMIT 20) AS last) AS d ON true
  WHERE i.in_scope
) AS days;
