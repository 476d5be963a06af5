-- The comparison product at the instrument's sessions: its last level whose closing instant is at or before the session's own, at
-- most 10 days old; in another currency converted at the instrument's session, unless the instrument is hedged.
CREATE TEMP TABLE benchmark_close ON COMMIT DROP AS
SELECT t.instrument, t.session, t.level, pg_temp.closes_at(b.market, t.session) AS closes_at
FROM tri AS t JOIN instrument AS b USING (instrument)
WHERE t.instrument IN (SELECT benchmark FROM instrument WHERE in_scope);
CREATE INDEX ON benchmark_close (instrument, closes_at DESC);
ANALYZE benchmark_close;

-- Found once for each market, comparison product and session.
CREATE TEMP TABLE benchmark_at ON COMMIT DROP AS
SELECT n.market, n.benchmark, n.session, b.session AS benchmark_session, b.level
FROM (SELECT *, pg_temp.closes_at(market, session) AS closes_at FROM (
  SELECT DISTINCT i.market, i.benchmark, t.session FROM instrument AS i JOIN tri AS t USING (instrument) WHERE i.in_scope AND i.benchmark IS NOT NULL) AS d OFFSET 0) AS n
CROSS JOIN LATERAL (SELECT k.session, k.level FROM benchmark_close AS k
  WHERE k.instrument = n.benchmark AND k.closes_at <= n.closes_at ORDER BY k.closes_at DESC LIMIT 1) AS b;
ANALYZE benchmark_at;

CREATE TEMP TABLE benchmark_level ON COMMIT DROP AS
SELECT i.instrument, t.session, t.level AS own_level, b.benchmark_session,
       CASE WHEN i.converted THEN round(b.level * x.rate, 40) ELSE b.level END AS level,
       CASE WHEN b.benchmark_session IS NULL THEN 'INSUFFICIENT_HISTORY'
            WHEN i.converted AND x.reason IS NOT NULL THEN x.reason
            WHEN t.session - b.benchmark_session > 10 THEN 'BENCHMARK_STALE' END AS reason
FROM (SELECT i.*, c.currency AS benchmark_currency, (c.currency <> i.currency AND NOT i.fx_hedged) AS converted
      FROM instrument AS i JOIN instrument AS c ON c.instrument = i.benchmark AND c.instrument <> i.instrument WHERE i.in_scope) AS i
JOIN tri AS t ON t.instrument = i.instrument
LEFT JOIN benchmark_at AS b ON b.market = i.market AND b.benchmark = i.benchmark AND b.session = t.session
LEFT JOIN fx_at AS x ON x.base = i.benchmark_currency AND x.quote = i.currency AND x.session = t.session;
CREATE UNIQUE INDEX ON benchmark_level (instrument, session);
ANALYZE benchmark_level;

-- Why an instrument has no comparison at all: none named, or the named one has no total return.
CREATE TEMP TABLE benchmark_state ON COMMIT DROP AS
SELECT i.instrument, CASE WHEN b.instrument IS NULL OR b.instrument = i.instrument THEN 'NO_BENCHMARK' ELSE c.reason END AS reason
FROM instrument AS i LEFT JOIN instrument AS b ON b.instrument = i.benchmark
LEFT JOIN chosen AS c ON c.instrument = b.instrument AND c.role = 'total_return';

-- Aligned pairs of one year: sessions before the benchmark's first level are skipped; of several sessions on one benchmark
-- session the first is kept. Returns run between consecutive kept pairs.
CREATE TEMP TABLE pair ON COMMIT DROP AS
WITH kept AS (
  SELECT DISTINCT ON (l.instrument, l.benchmark_session) l.*
  FROM benchmark_level AS l JOIN total_window AS w USING (instrument)
  WHERE w."window" = '1y' AND w.reason IS NULL AND l.session BETWEEN w.start_session AND w.end_session AND l.benchmark_session IS NOT NULL
  ORDER BY l.instrument, l.benchmark_session, l.session
)
SELECT instrument, session, own_level, level, reason, round(own_level / lag(own_level) OVER w - 1, 40) AS r, round(level / lag(level) OVER w - 1, 40) AS b
FROM kept WINDOW w AS (PARTITION BY instrument ORDER BY session);

-- Moments of the pairs, and why there are none.
CREATE TEMP TABLE pair_moment ON COMMIT DROP AS
WITH mean AS (
  SELECT p.instrument, i.multiple AS m, count(p.b) AS n, sum(p.r) / count(p.b) AS r, sum(p.b) / count(p.b) AS b,
         sum(p.r - i.multiple * p.b) / count(p.b) AS e, pg_temp.reason(VARIADIC array_agg(p.reason)) AS reason,
         pg_temp.product(1 + i.multiple * p.b) FILTER (WHERE p.b IS NOT NULL) - 1 AS compounded,
         (array_agg(p.own_level ORDER BY p.session DESC))[1] / (array_agg(p.own_level ORDER BY p.session))[1] - 1 AS own_return
  FROM pair AS p JOIN instrument AS i USING (instrument) GROUP BY p.instrument, i.multiple HAVING count(p.b) > 0
),
square AS (
  SELECT m.instrument, sum((p.r - m.r) * (p.b - m.b)) AS rb, sum((p.b - m.b) * (p.b - m.b)) AS bb, sum((p.r - m.r) * (p.r - m.r)) AS rr,
         sum((p.r - m.m * p.b - m.e) * (p.r - m.m * p.b - m.e)) AS ee
  FROM mean AS m JOIN pair AS p USING (instrument) WHERE p.b IS NOT NULL GROUP BY m.instrument
)
SELECT i.instrument, i.multiple AS m, m.n, s.rb, s.bb, s.rr, s.ee, m.compounded, m.own_return,
       pg_temp.reason(k.reason, w.reason, m.reason, CASE WHEN coalesce(m.n, 0) < 200 THEN 'INSUFFICIENT_HISTORY' END) AS reason
FROM instrument AS i JOIN benchmark_state AS k USING (instrument) JOIN total_window AS w ON w.instrument = i.instrument AND w."window" = '1y'
LEFT JOIN mean AS m ON m.instrument = i.instrument LEFT JOIN square AS s ON s.instrument = i.instrument
WHERE i.in_scope;
