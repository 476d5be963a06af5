-- Levels. price: closes of the price role. tri: total-return index. From distribution_adjusted closes it is the level itself; from
-- split_adjusted closes P and payouts D it is P(t) × F(t), F the running product of (P + D) / P at the ex-sessions: the
-- same as TRI(t) = TRI(t−1) × (P(t) + D(t)) / P(t−1), divided once per payout instead of once per day.
CREATE TEMP TABLE price ON COMMIT DROP AS
SELECT c.instrument, b.session, b.close AS level, b.volume
FROM chosen AS c JOIN bar AS b USING (file)
WHERE c.role = 'price' AND c.reason IS NULL AND b.close > 0 AND b.session > c.cutoff - interval '14 months';
CREATE INDEX ON price (instrument, session);

CREATE TEMP TABLE price_return_level ON COMMIT DROP AS
SELECT c.instrument, b.session, pg_temp.wide(b.close) AS level
FROM chosen AS c JOIN bar AS b USING (file)
WHERE c.role = 'price_return' AND c.reason IS NULL AND b.close > 0 AND b.session >= c.from_session;
CREATE INDEX ON price_return_level (instrument, session);
ANALYZE price_return_level;

-- A payout whose ex-date is no session falls on the next one.
CREATE TEMP TABLE payout ON COMMIT DROP AS
SELECT c.instrument, s.session, sum(d.amount) AS amount, min(s.level) AS level
FROM chosen AS c JOIN distribution AS d ON d.evidence = c.payout_evidence
CROSS JOIN LATERAL (SELECT p.session, p.level FROM price_return_level AS p
  WHERE p.instrument = c.instrument AND p.session >= d.ex_date ORDER BY p.session LIMIT 1) AS s
WHERE c.role = 'total_return' AND c.reason IS NULL AND c.basis = 'split_adjusted' AND d.ex_date > c.from_session AND s.session <= c.end_session
GROUP BY c.instrument, s.session;

CREATE TEMP TABLE payout_factor ON COMMIT DROP AS
SELECT instrument, session AS from_session, coalesce(lead(session) OVER w, 'infinity') AS to_session,
       pg_temp.product((level + amount) / level) OVER w AS factor
FROM payout WINDOW w AS (PARTITION BY instrument ORDER BY session)
UNION ALL
SELECT c.instrument, '-infinity', coalesce((SELECT min(session) FROM payout AS p WHERE p.instrument = c.instrument), 'infinity'), 1
FROM chosen AS c WHERE c.role = 'total_return' AND c.basis = 'split_adjusted';
CREATE INDEX ON payout_factor (instrument, from_session);

CREATE TEMP TABLE tri ON COMMIT DROP AS
SELECT c.instrument, b.session,
       CASE WHEN c.basis = 'split_adjusted' THEN round(b.close * f.factor, 40)
            ELSE pg_temp.wide(CASE c.name WHEN 'close' THEN b.close ELSE b.adjusted_close END) END AS level
FROM chosen AS c JOIN bar AS b USING (file)
LEFT JOIN payout_factor AS f ON c.basis = 'split_adjusted' AND f.instrument = c.instrument AND b.session >= f.from_session AND b.session < f.to_session
WHERE c.role = 'total_return' AND c.reason IS NULL AND b.session >= c.from_session
  AND CASE c.name WHEN 'close' THEN b.close ELSE b.adjusted_close END > 0;
CREATE UNIQUE INDEX ON tri (instrument, session);
ANALYZE tri;
