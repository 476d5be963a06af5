-- The comparison product at the instrument's sessions: its last level whose closing instant is at or before the session's own, at
-- most 10 days old; in another currency converted at the instrument's session, unless the instrument is hedged.
CREATE TEMP TABLE compared ON COMMIT DROP AS
SELECT i.instrument, o.series, i.multiple, i.market, i.currency, b.instrument AS benchmark, b.market AS benchmark_market, b.currency AS benchmark_currency,
       c.series AS benchmark_series, x.converted,
       -- instruments of one line see the same levels
       dense_rank() OVER (ORDER BY i.market, i.currency, b.instrument, x.converted)::int AS line
FROM instrument AS i JOIN instrument AS b ON b.instrument = i.benchmark AND b.instrument <> i.instrument
JOIN chosen AS o ON o.instrument = i.instrument AND o.role = 'total_return'
JOIN chosen AS c ON c.instrument = b.instrument AND c.role = 'total_return'
CROSS JOIN LATERAL (SELECT b.currency <> i.currency AND NOT i.fx_hedged AS converted) AS x
WHERE i.in_scope;
ANALYZE compared;

CREATE TEMP TABLE benchmark_at ON COMMIT DROP AS
WITH wanted AS (
  SELECT DISTINCT c.line, t.session FROM compared AS c JOIN tri AS t USING (series)
),
line AS (
  SELECT DISTINCT line, market, currency, benchmark_market, benchmark_currency, benchmark_series, converted FROM compared
),
-- the last day of the other market that had closed by then
closed AS MATERIALIZED (
  SELECT m.market, m.benchmark_market, m.session, CASE WHEN m.benchmark_market = m.market THEN m.session ELSE (
    SELECT max(m.session + shift) FROM generate_series(-2, 2) AS shift
    WHERE pg_temp.closes_at(m.benchmark_market, m.session + shift) <= pg_temp.closes_at(m.market, m.session)) END AS until
  FROM (SELECT DISTINCT l.market, l.benchmark_market, w.session FROM wanted AS w JOIN line AS l USING (line)) AS m
),
-- mostly a session of the comparison product; else the one before
found AS (
  SELECT l.*, w.session, coalesce(t.session, b.session) AS benchmark_session, coalesce(t.level, b.level) AS level
  FROM wanted AS w JOIN line AS l USING (line) JOIN closed AS c USING (market, benchmark_market, session)
  LEFT JOIN tri AS t ON t.series = l.benchmark_series AND t.session = c.until
  LEFT JOIN LATERAL (SELECT b.session, b.level FROM tri AS b WHERE t.session IS NULL AND b.series = l.benchmark_series AND b.session <= c.until ORDER BY b.session DESC LIMIT 1) AS b ON true
)
SELECT f.line, f.session, f.benchmark_session, CASE WHEN f.converted THEN round(f.level * x.rate, 34) ELSE f.level END AS level,
       CASE WHEN f.benchmark_session IS NULL THEN 'INSUFFICIENT_HISTORY'
            WHEN f.converted AND x.reason IS NOT NULL THEN x.reason
            WHEN f.session - f.benchmark_session > 10 THEN 'BENCHMARK_STALE' END AS reason
FROM found AS f LEFT JOIN fx_at AS x ON f.converted AND x.base = f.benchmark_currency AND x.quote = f.currency AND x.session = f.session;
ANALYZE benchmark_at (line, session);

-- Both levels at both ends of the windows that are compared. No comparison at all: none is named, or the named one has no total return.
CREATE TEMP TABLE benchmark_window ON COMMIT DROP AS
SELECT w.instrument, w."window", i.multiple, w.start_level, w.end_level, s.level AS s_level, e.level AS e_level, k.reason AS no_benchmark,
       pg_temp.reason(k.reason, w.reason, s.reason, e.reason) AS reason
FROM total_window AS w JOIN instrument AS i USING (instrument)
LEFT JOIN compared AS c ON c.instrument = w.instrument
LEFT JOIN chosen AS b ON b.instrument = c.benchmark AND b.role = 'total_return'
CROSS JOIN LATERAL (SELECT CASE WHEN c.instrument IS NULL THEN 'NO_BENCHMARK' ELSE b.reason END AS reason) AS k
LEFT JOIN benchmark_at AS s ON s.line = c.line AND s.session = w.start_session
LEFT JOIN benchmark_at AS e ON e.line = c.line AND e.session = w.end_session
WHERE w."window" IN ('1y', '3y') AND i.in_scope;
