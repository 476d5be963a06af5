-- csv-nav: sessions up to the cutoff that have both a positive NAV and a positive close. Differing repeats drop the date.
CREATE TEMP TABLE nav ON COMMIT DROP AS
WITH line AS MATERIALIZED (
  SELECT p.evidence, p.instrument, i.cutoff, pg_temp.day(l.f[array_position(p.header, p.reading#>>'{columns,session}')]) AS session,
         pg_temp.numeral(l.f[array_position(p.header, p.reading#>>'{columns,nav}')]) AS nav,
         pg_temp.numeral(l.f[array_position(p.header, p.reading#>>'{columns,close}')]) AS close,
         pg_temp.numeral(l.f[array_position(p.header, p.reading#>>'{columns,volume}')]) AS volume
  FROM payload AS p JOIN instrument AS i USING (instrument, market)
  CROSS JOIN LATERAL (SELECT string_to_array(line, ',') AS f FROM string_to_table(p.body, E'\n') AS t(line) WHERE line <> '') AS l
  WHERE p.contract = 'csv-nav' AND i.in_scope
)
SELECT evidence, instrument, session, min(nav) AS nav, min(close) AS close FROM line
WHERE session <= cutoff
GROUP BY evidence, instrument, session
HAVING count(DISTINCT ARRAY[nav, close, volume]) = 1 AND min(nav) > 0 AND min(close) > 0;

-- The NAV source that speaks for an instrument: the first that is neither empty nor stale; else an empty one, since NO_DATA takes precedence.
CREATE TEMP TABLE nav_source ON COMMIT DROP AS
SELECT DISTINCT ON (i.instrument) i.instrument, i.market, p.evidence, p.retrieved_at, e.end_session,
       CASE WHEN e.end_session IS NULL THEN 'NO_DATA' WHEN i.cutoff - e.end_session > 10 THEN 'STALE' END AS reason
FROM instrument AS i JOIN payload AS p USING (instrument, market)
LEFT JOIN LATERAL (SELECT max(session) AS end_session FROM nav WHERE nav.evidence = p.evidence AND nav.instrument = i.instrument) AS e ON true
WHERE p.contract = 'csv-nav' AND p.body IS NOT NULL
ORDER BY i.instrument, (i.cutoff - e.end_session <= 10) IS NOT TRUE, (e.end_session IS NOT NULL), p.source_rank;
