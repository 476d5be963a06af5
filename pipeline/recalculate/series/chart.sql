-- The peer_median line of the charts, where no benchmark is named: the median over the other members of the peer group in the same
-- market with that total return, at least 3. The other lines are columns of series/days.sql. First the members of each circle of
-- peers, which is a market, a peer group and a window that a chart asks for.
CREATE TEMP TABLE chart_circle ON COMMIT DROP AS
SELECT row_number() OVER ()::int AS circle, g.*
FROM (SELECT DISTINCT market, peer_group, "window" FROM chart_span WHERE benchmark IS NULL AND peer_group IS NOT NULL) AS g;

CREATE TEMP TABLE chart_member ON COMMIT DROP AS
SELECT g.circle, w.instrument, w.series, w.start_level
FROM chart_circle AS g JOIN instrument AS m ON m.market = g.market AND m.peer_group = g.peer_group
JOIN total_window AS w ON w.instrument = m.instrument AND w."window" = g."window" AND w.reason IS NULL;

CREATE TEMP TABLE chart_asking ON COMMIT DROP AS
SELECT s.instrument, s.series, g.circle FROM chart_span AS s JOIN chart_circle AS g USING (market, peer_group, "window")
WHERE s.benchmark IS NULL AND (SELECT count(*) FROM chart_member AS m WHERE m.circle = g.circle AND m.instrument <> s.instrument) >= 3;
ANALYZE chart_asking;

-- Levels of every member at every session at which a chart needs them, 100 at the member's own start session.
CREATE TEMP TABLE chart_group ON COMMIT DROP AS
SELECT circle, session, array_agg(level) AS levels, array_agg(series) AS members
FROM (
  SELECT w.circle, w.session, m.series, round(coalesce(t.level, b.level) / m.start_level * 100, 16) AS level
  FROM (SELECT DISTINCT a.circle, d.session FROM chart_asking AS a JOIN day AS d USING (series) WHERE d.n >= 0) AS w
  JOIN chart_member AS m USING (circle) LEFT JOIN tri AS t ON t.series = m.series AND t.session = w.session
  -- mostly a session of the member; else its last one before
  LEFT JOIN LATERAL (SELECT b.level FROM tri AS b WHERE t.session IS NULL AND b.series = m.series AND b.session <= w.session ORDER BY b.session DESC LIMIT 1) AS b ON true
  ORDER BY w.circle, w.session, level, m.series
) AS sorted
WHERE level IS NOT NULL
GROUP BY circle, session;
ANALYZE chart_group;

CREATE TEMP TABLE chart_median ON COMMIT DROP AS
-- the middle of the sorted levels without the instrument's own
SELECT a.series, d.session, (g.levels[lower + (lower >= own)::int] + g.levels[upper + (upper >= own)::int]) / 2 AS level
FROM chart_asking AS a JOIN day AS d USING (series) JOIN chart_group AS g USING (circle, session)
CROSS JOIN LATERAL (SELECT coalesce(array_position(g.members, a.series), cardinality(g.members) + 1) AS own OFFSET 0) AS o
CROSS JOIN LATERAL (SELECT cardinality(g.members) - (own <= cardinality(g.members))::int AS others) AS c
CROSS JOIN LATERAL (SELECT (others + 1) / 2 AS lower, others / 2 + 1 AS upper) AS h
WHERE d.n >= 0 AND others >= 3;
ANALYZE chart_median;
