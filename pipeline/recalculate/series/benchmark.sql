-- The comparison product at the instrument's sessions: its last level whose closing instant is at or before the session's own, at
-- most 10 days old; in another currency converted at the instrument's session, unless the instrument is hedged.
CREATE TEMP TABLE compared ON COMMIT DROP AS
SELECT i.instrument, i.market, i.multiple, i.benchmark, b.market AS benchmark_market, b.currency AS benchmark_currency, i.currency,
       (b.currency <> i.currency AND NOT i.fx_hedged) AS converted, c.series
FROM instrument AS i JOIN instrument AS b ON b.instrument = i.benchmark AND b.instrument <> i.instrument
JOIN chosen AS c ON c.instrument = b.instrument AND c.role = 'total_return' WHERE i.in_scope;

-- Found once for each market, comparison product and session: first the last day of the other market that had closed by then.
CREATE TEMP TABLE benchmark_at ON COMMIT DROP AS
WITH day AS (
  SELECT DISTINCT c.market, t.session FROM compared AS c JOIN tri AS t USING (instrument)
),
closed AS MATERIALIZED (
  SELECT d.market, m.benchmark_market, d.session, CASE WHEN m.benchmark_market = d.market THEN d.session ELSE (
    SELECT max(d.session + shift) FROM generate_series(-2, 2) AS shift
    WHERE pg_temp.closes_at(m.benchmark_market, d.session + shift) <= pg_temp.closes_at(d.market, d.session)) END AS until
  FROM day AS d JOIN (SELECT DISTINCT market, benchmark_market FROM compared) AS m USING (market)
)
SELECT c.market, c.benchmark, c.session, t.session AS benchmark_session, t.level
FROM (
  SELECT c.market, p.benchmark, c.session, (SELECT max(q.session) FROM quote AS q WHERE q.series = p.series AND q.session <= c.until) AS last_session
  FROM closed AS c JOIN (SELECT DISTINCT market, benchmark_market, benchmark, series FROM compared) AS p USING (market, benchmark_market) OFFSET 0
) AS c JOIN tri AS t ON t.instrument = c.benchmark AND t.session = c.last_session;
ANALYZE benchmark_at;

CREATE TEMP TABLE benchmark_level ON COMMIT DROP AS
SELECT c.instrument, t.session, t.level AS own_level, b.benchmark_session, CASE WHEN c.converted THEN round(b.level * x.rate, 34) ELSE b.level END AS level,
       CASE WHEN b.benchmark_session IS NULL THEN 'INSUFFICIENT_HISTORY'
            WHEN c.converted AND x.reason IS NOT NULL THEN x.reason
            WHEN t.session - b.benchmark_session > 10 THEN 'BENCHMARK_STALE' END AS reason
FROM compared AS c JOIN tri AS t USING (instrument)
LEFT JOIN benchmark_at AS b ON b.market = c.market AND b.benchmark = c.benchmark AND b.session = t.session
LEFT JOIN fx_at AS x ON c.converted AND x.base = c.benchmark_currency AND x.quote = c.currency AND x.session = t.session;
ANALYZE benchmark_level;

-- Why an instrument has no comparison at all: none named, or the named one has no total return.
CREATE TEMP TABLE benchmark_state ON COMMIT DROP AS
SELECT i.instrument, CASE WHEN b.instrument IS NULL OR b.instrument = i.instrument THEN 'NO_BENCHMARK' ELSE c.reason END AS reason
FROM instrument AS i LEFT JOIN instrument AS b ON b.instrument = i.benchmark
LEFT JOIN chosen AS c ON c.instrument = b.instrument AND c.role = 'total_return';

-- Both levels at both ends of the windows that are compared.
CREATE TEMP TABLE benchmark_window ON COMMIT DROP AS
SELECT w.instrument, w."window", w.start_level, w.end_level, s.level AS s_level, e.level AS e_level, pg_temp.reason(k.reason, w.reason, s.reason, e.reason) AS reason
FROM total_window AS w JOIN instrument AS i USING (instrument) JOIN benchmark_state AS k USING (instrument)
LEFT JOIN benchmark_level AS s ON s.instrument = w.instrument AND s.session = w.start_session
LEFT JOIN benchmark_level AS e ON e.instrument = w.instrument AND e.session = w.end_session
WHERE w."window" IN ('1y', '3y') AND i.in_scope;

-- Aligned pairs of one year: sessions before the benchmark's first level are skipped; of several sessions on one benchmark
-- session the first is kept. Returns run between consecutive kept pairs.
CREATE TEMP TABLE pair ON COMMIT DROP AS
WITH kept AS (
  SELECT DISTINCT ON (l.instrument, l.benchmark_session) l.*
  FROM benchmark_level AS l JOIN total_window AS w USING (instrument)
  WHERE w."window" = '1y' AND w.reason IS NULL AND l.session BETWEEN w.start_session AND w.end_session AND l.benchmark_session IS NOT NULL
  ORDER BY l.instrument, l.benchmark_session, l.session
)
SELECT instrument, session, own_level, level, reason, round(own_level / lag(own_level) OVER w - 1, 34) AS r, round(level / lag(level) OVER w - 1, 34) AS b
FROM kept WINDOW w AS (PARTITION BY instrument ORDER BY session);

-- Moments of the pairs, and why there are none. Squares about the means come from plain sums: NUMERIC loses nothing by it.
CREATE TEMP TABLE pair_moment ON COMMIT DROP AS
WITH total AS (
  SELECT p.instrument, count(p.b) AS n, sum(p.r) AS r, sum(p.b) AS b, sum(p.r * p.b) AS rb, sum(p.r * p.r) AS rr, sum(p.b * p.b) AS bb,
         pg_temp.reason(VARIADIC array_agg(DISTINCT p.reason)) AS reason, min(p.session) AS first_session, max(p.session) AS last_session,
         pg_temp.product(1 + c.multiple * p.b) FILTER (WHERE c.multiple <> 1 AND p.b IS NOT NULL) - 1 AS compounded
  FROM pair AS p JOIN compared AS c USING (instrument) GROUP BY p.instrument HAVING count(p.b) > 0
),
moment AS (
  SELECT *, rb - round(r * b, 80) / n AS s_rb, rr - round(r * r, 80) / n AS s_rr, bb - round(b * b, 80) / n AS s_bb FROM total
)
SELECT i.instrument, i.multiple AS m, t.n, t.s_rb AS rb, t.s_bb AS bb, t.s_rr AS rr,
       t.s_rr - 2 * i.multiple * t.s_rb + i.multiple * i.multiple * t.s_bb AS ee, -- of r − m × b
       t.compounded, l.own_level / f.own_level - 1 AS own_return,
       pg_temp.reason(k.reason, w.reason, t.reason, CASE WHEN coalesce(t.n, 0) < 200 THEN 'INSUFFICIENT_HISTORY' END) AS reason
FROM instrument AS i JOIN benchmark_state AS k USING (instrument) JOIN total_window AS w ON w.instrument = i.instrument AND w."window" = '1y'
LEFT JOIN moment AS t ON t.instrument = i.instrument
LEFT JOIN pair AS f ON f.instrument = i.instrument AND f.session = t.first_session
LEFT JOIN pair AS l ON l.instrument = i.instrument AND l.session = t.last_session
WHERE i.in_scope;
