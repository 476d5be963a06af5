-- Mean over the last 20 sessions of close × volume, in the instrument's currency. A session whose volume is absent
-- leaves no mean.
-- prints: money as money
SELECT instrument, 'average_daily_value' AS fact, '20d' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(traded) / 20) END AS value
FROM (
  SELECT c.instrument, d.traded, coalesce(c.reason, CASE WHEN d.with_volume < d.n THEN 'NO_DATA' WHEN d.n < 20 THEN 'INSUFFICIENT_HISTORY' END) AS reason
  FROM chosen AS c JOIN instrument AS i USING (instrument)
  LEFT JOIN LATERAL (SELECT count(*) AS n, count(volume) AS with_volume, sum(value * volume) AS traded FROM (
    SELECT q.value, pg_temp.numeral(q.volume) AS volume FROM quote AS q WHERE q.series = c.series ORDER BY q.session DESC LIMIT 20) AS last) AS d ON true
  WHERE c.role = 'price' AND i.in_scope
) AS days;
