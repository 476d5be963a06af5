-- Members of the peer group with a one-year total return in the reporting currency; under 3 there is no peer fact.
-- prints: count as count
SELECT instrument, 'peer_count.total_return' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN n::text END AS value
FROM (
  SELECT v.instrument, g.n, CASE WHEN coalesce(g.n, 0) < 3 THEN 'PEER_GROUP_TOO_SMALL' END AS reason
  FROM peer_value AS v LEFT JOIN peers AS g USING (peer_group, "window") WHERE v.in_scope AND v."window" = '1y'
) AS peers;
