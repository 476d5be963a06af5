-- Levels. quote: the usable closes of the series that were chosen, as they stand. tri: total-return index. From distribution_adjusted
-- closes it is the level itself; from split_adjusted closes P and payouts D it is P(t) × F(t), F the running product of (P + D) / P
-- at the ex-sessions: the same as TRI(t) = TRI(t−1) × (P(t) + D(t)) / P(t−1), divided once per payout instead of once per day.
CREATE TEMP TABLE quote ON COMMIT DROP AS
SELECT c.series, b.session, CASE c.name WHEN 'close' THEN b.close ELSE b.adjusted_close END AS value, b.volume
FROM (SELECT DISTINCT series, file, name FROM chosen WHERE reason IS NULL) AS c JOIN bar AS b USING (file)
WHERE CASE c.name WHEN 'close' THEN b.close ELSE b.adjusted_close END > 0;
CREATE UNIQUE INDEX ON quote (series, session);
ANALYZE quote (series, session);

-- A payout whose ex-date is no session falls on the next one.
CREATE TEMP TABLE payout ON COMMIT DROP AS
SELECT c.series, s.session, sum(d.amount) AS amount, min(s.value) AS value
FROM chosen AS c JOIN distribution AS d ON d.evidence = c.payout_evidence
CROSS JOIN LATERAL (SELECT q.session, q.value FROM quote AS q WHERE q.series = c.series AND q.session >= d.ex_date ORDER BY q.session LIMIT 1) AS s
WHERE c.role = 'total_return' AND c.reason IS NULL AND c.basis = 'split_adjusted' AND d.ex_date > c.first_session
GROUP BY c.series, s.session;

CREATE TEMP TABLE payout_factor ON COMMIT DROP AS
SELECT series, session, pg_temp.product((pg_temp.wide(value) + amount) / value) OVER (PARTITION BY series ORDER BY session) AS factor FROM payout;
ANALYZE payout_factor;

-- F never falls, so that its highest value so far is the last one. 34 decimals: where F has no end, what is equal stays equal in
-- spite of the noise of F, and exact halves stay exact.
CREATE TEMP TABLE tri ON COMMIT DROP AS
SELECT q.series, q.session, round(q.value * coalesce(max(p.factor) OVER (PARTITION BY q.series ORDER BY q.session ROWS UNBOUNDED PRECEDING), 1), 34) AS level
FROM quote AS q LEFT JOIN payout_factor AS p USING (series, session)
WHERE q.series IN (SELECT series FROM chosen WHERE role = 'total_return' AND reason IS NULL);
CREATE UNIQUE INDEX ON tri (series, session);
ANALYZE tri (series, session);
