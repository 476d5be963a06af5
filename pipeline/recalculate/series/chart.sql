-- What the charts draw, before thinning. Levels are those of the series; chart.sql rebases the sessions that it keeps to 100 at the
-- start of the window: the first of 5y, 3y, 1y, 6m, 3m, 1m whose total return is there (chart_span, in series/windows.sql).
CREATE TEMP TABLE chart_session ON COMMIT DROP AS
SELECT s.instrument, t.session, t.level, max(t.level) OVER w AS peak, b.level AS benchmark, row_number() OVER w - 1 AS n
FROM chart_span AS s JOIN tri AS t ON t.instrument = s.instrument AND t.session BETWEEN s.start_session AND s.end_session
-- no line where the comparison has no level at the start; a session where it is stale or lacks FX is left out
LEFT JOIN benchmark_level AS f ON f.instrument = s.instrument AND f.session = s.start_session AND f.reason IS NULL
LEFT JOIN benchmark_level AS b ON b.instrument = f.instrument AND b.session = t.session AND b.reason IS NULL
WINDOW w AS (PARTITION BY s.instrument ORDER BY t.session ROWS UNBOUNDED PRECEDING);
ANALYZE chart_session;

-- peer_median, where no benchmark is named: the median over the other members of the peer group in the same market with that
-- total return, at least 3. Levels of every member at every session at which a chart of its group and window needs them:
CREATE TEMP TABLE chart_wanted ON COMMIT DROP AS
SELECT DISTINCT s.market, s.peer_group, s."window", t.session
FROM chart_span AS s JOIN chart_session AS t USING (instrument) WHERE s.benchmark IS NULL AND s.peer_group IS NOT NULL;
ANALYZE chart_wanted;

CREATE TEMP TABLE chart_member ON COMMIT DROP AS
SELECT g.market, g.peer_group, g."window", w.instrument, c.series, w.start_level
FROM (SELECT DISTINCT market, peer_group, "window" FROM chart_span WHERE benchmark IS NULL) AS g
JOIN instrument AS m ON m.market = g.market AND m.peer_group = g.peer_group
JOIN total_window AS w ON w.instrument = m.instrument AND w."window" = g."window" AND w.reason IS NULL
JOIN chosen AS c ON c.instrument = m.instrument AND c.role = 'total_return';

CREATE TEMP TABLE chart_group ON COMMIT DROP AS
SELECT market, peer_group, "window", session, array_agg(level) AS levels, array_agg(instrument) AS members
FROM (
  SELECT w.market, w.peer_group, w."window", w.session, w.instrument, round(t.level / w.start_level * 100, 16) AS level
  FROM (
    SELECT w.*, m.instrument, m.start_level, (SELECT max(q.session) FROM quote AS q WHERE q.series = m.series AND q.session <= w.session) AS last_session
    FROM chart_wanted AS w JOIN chart_member AS m USING (market, peer_group, "window") OFFSET 0
  ) AS w JOIN tri AS t ON t.instrument = w.instrument AND t.session = w.last_session
  ORDER BY w.market, w.peer_group, w."window", w.session, level, w.instrument
) AS sorted
GROUP BY market, peer_group, "window", session;

CREATE TEMP TABLE chart_median ON COMMIT DROP AS
-- the middle of the sorted levels without the instrument's own
SELECT s.instrument, t.session, (g.levels[lower + (lower >= own)::int] + g.levels[upper + (upper >= own)::int]) / 2 AS level
FROM chart_span AS s JOIN chart_session AS t USING (instrument) JOIN chart_group AS g USING (market, peer_group, "window", session)
CROSS JOIN LATERAL (SELECT coalesce(array_position(g.members, s.instrument), cardinality(g.members) + 1) AS own OFFSET 0) AS o
CROSS JOIN LATERAL (SELECT cardinality(g.members) - (own <= cardinality(g.members))::int AS others) AS c
CROSS JOIN LATERAL (SELECT (others + 1) / 2 AS lower, others / 2 + 1 AS upper) AS h
WHERE s.benchmark IS NULL AND others >= 3;
ANALYZE chart_median;
