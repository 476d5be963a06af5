-- Lines of the charts before thinning. total_return and benchmark are rebased to 100 at the start session of the first of 5y, 3y,
-- 1y, 6m, 3m, 1m whose total return is there; drawdown is the fall from the highest level so far.
CREATE TEMP TABLE chart_span ON COMMIT DROP AS
SELECT DISTINCT ON (w.instrument) w.instrument, i.market, i.peer_group, i.benchmark, w."window", w.start_session, w.end_session, w.start_level
FROM total_window AS w JOIN instrument AS i USING (instrument)
WHERE w.reason IS NULL AND i.in_scope AND w."window" IN ('5y', '3y', '1y', '6m', '3m', '1m') ORDER BY w.instrument, w.ordinal DESC;
ANALYZE chart_span;

CREATE TEMP TABLE chart_session ON COMMIT DROP AS
SELECT s.*, d.session, d.level, d.fall, row_number() OVER (PARTITION BY s.instrument ORDER BY d.session) - 1 AS n, count(*) OVER (PARTITION BY s.instrument) AS total
FROM chart_span AS s JOIN drawdown AS d USING (instrument, "window");
ANALYZE chart_session;

-- peer_median, where no benchmark is named: the median over the other members of the peer group in the same market with that
-- total return, at least 3. Levels of every member at every session at which a chart of its group and window needs them:
CREATE TEMP TABLE chart_wanted ON COMMIT DROP AS
SELECT DISTINCT market, peer_group, "window", session FROM chart_session WHERE benchmark IS NULL AND peer_group IS NOT NULL;
ANALYZE chart_wanted;

CREATE TEMP TABLE chart_member ON COMMIT DROP AS
SELECT DISTINCT g.market, g.peer_group, g."window", w.instrument, w.start_level
FROM (SELECT DISTINCT market, peer_group, "window" FROM chart_wanted) AS g
JOIN instrument AS m ON m.market = g.market AND m.peer_group = g.peer_group
JOIN total_window AS w ON w.instrument = m.instrument AND w."window" = g."window" AND w.reason IS NULL;
ANALYZE chart_member;

CREATE TEMP TABLE chart_group ON COMMIT DROP AS
SELECT w.market, w.peer_group, w."window", w.session,
       array_agg(v.level ORDER BY v.level, m.instrument) AS levels, array_agg(m.instrument ORDER BY v.level, m.instrument) AS members
FROM chart_wanted AS w JOIN chart_member AS m USING (market, peer_group, "window")
LEFT JOIN tri AS t ON t.instrument = m.instrument AND t.session = w.session
CROSS JOIN LATERAL (SELECT round(coalesce(t.level,
  (SELECT b.level FROM tri AS b WHERE b.instrument = m.instrument AND b.session <= w.session ORDER BY b.session DESC LIMIT 1)) / m.start_level * 100, 20) AS level) AS v
WHERE v.level IS NOT NULL
GROUP BY w.market, w.peer_group, w."window", w.session;
ANALYZE chart_group;

CREATE TEMP TABLE chart_median ON COMMIT DROP AS
-- the middle of the sorted levels without the instrument's own
SELECT s.instrument, s.session, (g.levels[lower + (lower >= own)::int] + g.levels[upper + (upper >= own)::int]) / 2 AS level
FROM chart_session AS s JOIN chart_group AS g USING (market, peer_group, "window", session)
CROSS JOIN LATERAL (SELECT coalesce(array_position(g.members, s.instrument), cardinality(g.members) + 1) AS own) AS o
CROSS JOIN LATERAL (SELECT cardinality(g.members) - (own <= cardinality(g.members))::int AS others) AS c
CROSS JOIN LATERAL (SELECT (others + 1) / 2 AS lower, others / 2 + 1 AS upper) AS h
WHERE s.benchmark IS NULL AND others >= 3;
ANALYZE chart_median;

CREATE TEMP TABLE chart_line ON COMMIT DROP AS
SELECT instrument, session, 'total_return' AS series, round(level / start_level * 100, 20) AS level FROM chart_session
UNION ALL
SELECT instrument, session, 'drawdown', fall FROM chart_session
UNION ALL
SELECT s.instrument, s.session, 'benchmark', round(b.level / f.level * 100, 20)
FROM chart_session AS s JOIN benchmark_level AS f ON f.instrument = s.instrument AND f.session = s.start_session AND f.reason IS NULL
JOIN benchmark_level AS b ON b.instrument = s.instrument AND b.session = s.session AND b.reason IS NULL
UNION ALL
SELECT instrument, session, 'peer_median', level FROM chart_median;
ANALYZE chart_line;
