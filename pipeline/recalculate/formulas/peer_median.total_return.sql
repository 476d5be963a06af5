-- Median of the members' total returns in the reporting currency, the mean of the two middle ones if even; at least 3
-- values.
-- prints: ratio as percent_signed
SELECT instrument, 'peer_median.total_return' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact((pg_temp.wide(lower) + upper) / 2) END AS value
FROM (
  SELECT v.instrument, v."window", g.sorted[(g.n + 1) / 2] AS lower, g.sorted[g.n / 2 + 1] AS upper, CASE WHEN coalesce(g.n, 0) < 3 THEN 'PEER_GROUP_TOO_SMALL' END AS reason
  FROM peer_value AS v LEFT JOIN peers AS g USING (peer_group, "window") WHERE v.in_scope
) AS peers;
