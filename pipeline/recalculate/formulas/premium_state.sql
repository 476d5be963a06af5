-- PROVISIONAL when the NAV was retrieved on its own session's date in the market's zone, else FINAL.
-- prints: text as text
SELECT instrument, 'premium_state' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN CASE WHEN retrieved_on = end_session THEN 'PROVISIONAL' ELSE 'FINAL' END END AS value
FROM (
  SELECT i.instrument, s.end_session, CASE WHEN s.instrument IS NULL THEN 'SOURCE_MISSING' ELSE s.reason END AS reason,
         (s.retrieved_at AT TIME ZONE CASE s.market WHEN 'KR' THEN 'Asia/Seoul' ELSE 'America/New_York' END)::date AS retrieved_on
  FROM instrument AS i LEFT JOIN nav_source AS s USING (instrument) WHERE i.in_scope
) AS last;
