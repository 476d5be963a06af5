-- Windows: end session of the series and start session, the last one at or before the anchor (1d: the one before the end).
-- None: INSUFFICIENT_HISTORY. More than 10 calendar days before the anchor: GAP_AT_START. Never a shorter window.
CREATE TEMP TABLE "window" ON COMMIT DROP AS
SELECT c.instrument, c.role, c.series, s."window", s.ordinal, c.end_session, CASE WHEN r.reason IS NULL THEN q.session END AS start_session, r.reason
FROM chosen AS c CROSS JOIN span AS s
CROSS JOIN LATERAL (SELECT coalesce(pg_temp.anchor(s."window", c.cutoff), c.end_session - 1) AS anchor OFFSET 0) AS a
LEFT JOIN LATERAL (SELECT q.session FROM quote AS q WHERE q.series = c.series AND q.session <= a.anchor ORDER BY q.session DESC LIMIT 1) AS q ON true
CROSS JOIN LATERAL (SELECT CASE WHEN c.reason IS NOT NULL THEN c.reason WHEN q.session IS NULL THEN 'INSUFFICIENT_HISTORY'
                                WHEN s."window" <> '1d' AND a.anchor - q.session > 10 THEN 'GAP_AT_START' END AS reason) AS r
WHERE c.role IN ('total_return', 'price_return');

-- The instrument's total-return level at both ends.
CREATE TEMP TABLE total_window ON COMMIT DROP AS
SELECT w.instrument, w."window", w.ordinal, w.start_session, w.end_session, w.reason, s.level AS start_level, e.level AS end_level
FROM "window" AS w
LEFT JOIN tri AS s ON s.instrument = w.instrument AND s.session = w.start_session
LEFT JOIN tri AS e ON e.instrument = w.instrument AND e.session = w.end_session
WHERE w.role = 'total_return';
ANALYZE total_window;

-- The window of an instrument's chart: the longest of these whose total return is there.
CREATE TEMP TABLE chart_span ON COMMIT DROP AS
SELECT DISTINCT ON (w.instrument) w.instrument, i.market, i.peer_group, i.benchmark, w."window", w.start_session, w.end_session, w.start_level
FROM total_window AS w JOIN instrument AS i USING (instrument)
WHERE w.reason IS NULL AND i.in_scope AND w."window" IN ('5y', '3y', '1y', '6m', '3m', '1m') ORDER BY w.instrument, w.ordinal DESC;

-- The closes of the last 12 months: their highest and lowest, the latest session of each, and the last.
CREATE TEMP TABLE range_52w ON COMMIT DROP AS
SELECT c.instrument, q.*, coalesce(c.reason, CASE WHEN c.first_session > c.cutoff - interval '12 months' THEN 'INSUFFICIENT_HISTORY' END) AS reason
FROM chosen AS c LEFT JOIN LATERAL (
  SELECT r.high, r.low, max(y.session) FILTER (WHERE y.value = r.high) AS high_on, max(y.session) FILTER (WHERE y.value = r.low) AS low_on
  FROM (SELECT max(value) AS high, min(value) AS low FROM quote WHERE series = c.series AND session > c.cutoff - interval '12 months') AS r
  JOIN quote AS y ON y.series = c.series AND y.session > c.cutoff - interval '12 months' AND y.value IN (r.high, r.low)
  GROUP BY r.high, r.low
) AS q ON c.reason IS NULL
WHERE c.role = 'price';

-- Daily returns of the total-return index within the longest of the windows whose spread is measured.
CREATE TEMP TABLE daily ON COMMIT DROP AS
SELECT t.instrument, t.session, round(t.level / lag(t.level) OVER (PARTITION BY t.instrument ORDER BY t.session) - 1, 34) AS r
FROM instrument AS i JOIN LATERAL (
  SELECT min(start_session) AS start_session FROM total_window AS w WHERE w.instrument = i.instrument AND w."window" IN ('1y', '3y') AND w.reason IS NULL) AS s ON true
JOIN tri AS t ON t.instrument = i.instrument AND t.session >= s.start_session
WHERE i.in_scope;
