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
SELECT w.instrument, w.series, w."window", w.ordinal, w.start_session, w.end_session, w.reason, s.level AS start_level, e.level AS end_level
FROM "window" AS w
LEFT JOIN tri AS s ON s.series = w.series AND s.session = w.start_session
LEFT JOIN tri AS e ON e.series = w.series AND e.session = w.end_session
WHERE w.role = 'total_return';
ANALYZE total_window;

-- The window of an instrument's chart: the longest of these whose total return is there.
CREATE TEMP TABLE chart_span ON COMMIT DROP AS
SELECT DISTINCT ON (w.instrument) w.instrument, w.series, i.market, i.peer_group, i.benchmark, w."window", w.start_session, w.end_session, w.start_level
FROM total_window AS w JOIN instrument AS i USING (instrument)
WHERE w.reason IS NULL AND i.in_scope AND w."window" IN ('5y', '3y', '1y', '6m', '3m', '1m') ORDER BY w.instrument, w.ordinal DESC;
ANALYZE chart_span;

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

-- Payouts with ex-date in (cutoff − 12 months, cutoff], in the basis of the closes that they are divided by.
CREATE TEMP TABLE payout_ttm ON COMMIT DROP AS
SELECT i.instrument, q.value AS last, coalesce(d.paid, 0) AS paid, coalesce(d.dates, 0) AS dates,
       CASE WHEN p.reason IS NOT NULL THEN p.reason
            WHEN c.reason IS NOT NULL THEN c.reason
            WHEN p.instrument IS NULL THEN 'SOURCE_MISSING'
            WHEN p.basis <> c.basis THEN 'BASIS_NOT_AVAILABLE'
            WHEN c.first_session > c.cutoff - interval '12 months' THEN 'INSUFFICIENT_HISTORY' END AS reason
FROM instrument AS i JOIN chosen AS c ON c.instrument = i.instrument AND c.role = 'price'
LEFT JOIN payout_source AS p ON p.instrument = i.instrument AND p.closes_basis = coalesce(c.basis, 'split_adjusted')
LEFT JOIN quote AS q ON q.series = c.series AND q.session = c.end_session
LEFT JOIN (SELECT x.evidence, sum(x.amount) AS paid, count(*) AS dates FROM distribution AS x JOIN instrument AS i USING (instrument)
  WHERE x.ex_date > i.cutoff - interval '12 months' AND x.ex_date <= i.cutoff GROUP BY x.evidence) AS d ON d.evidence = p.evidence
WHERE i.in_scope;
