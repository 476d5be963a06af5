-- Aligned pairs of one year: sessions before the benchmark's first level are skipped; of several sessions on one benchmark
-- session the first is kept. Returns run between consecutive kept pairs.
CREATE TEMP TABLE pair ON COMMIT DROP AS
WITH kept AS (
  SELECT DISTINCT ON (d.series, d.benchmark_session) s.instrument, d.*
  FROM day AS d JOIN since AS s USING (series)
  WHERE d.session >= s.start_1y AND d.benchmark_session IS NOT NULL
  ORDER BY d.series, d.benchmark_session, d.session
)
SELECT instrument, session, level, benchmark_reason AS reason, round(level / lag(level) OVER w - 1, 34) AS r, round(benchmark / lag(benchmark) OVER w - 1, 34) AS b
FROM kept WINDOW w AS (PARTITION BY series ORDER BY session);

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
SELECT w.instrument, w.multiple AS m, t.n, t.s_rb AS rb, t.s_bb AS bb, t.s_rr AS rr,
       t.s_rr - 2 * w.multiple * t.s_rb + w.multiple * w.multiple * t.s_bb AS ee, -- of r − m × b
       t.compounded, l.level / f.level - 1 AS own_return,
       pg_temp.reason(w.no_benchmark, v.reason, t.reason, CASE WHEN coalesce(t.n, 0) < 200 THEN 'INSUFFICIENT_HISTORY' END) AS reason
FROM benchmark_window AS w JOIN total_window AS v USING (instrument, "window")
LEFT JOIN moment AS t ON t.instrument = w.instrument
LEFT JOIN pair AS f ON f.instrument = w.instrument AND f.session = t.first_session
LEFT JOIN pair AS l ON l.instrument = w.instrument AND l.session = t.last_session
WHERE w."window" = '1y';
