-- 1 + number of members with a greater one-year total return in the reporting currency; needs 3 values and the
-- instrument's own.
-- prints: rank as rank
SELECT instrument, 'peer_rank.total_return' AS fact, '1y' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN rank::text END AS value
FROM (
  SELECT v.instrument, 1 + (SELECT count(*) FROM unnest(g.sorted) AS other WHERE other > v.value) AS rank,
         pg_temp.reason(v.reason, CASE WHEN coalesce(g.n, 0) < 3 THEN 'PEER_GROUP_TOO_SMALL' END) AS reason
  FROM peer_value AS v LEFT JOIN peers AS g USING (peer_group, "window") WHERE v.in_scope AND v."window" = '1y'
) AS peers;
