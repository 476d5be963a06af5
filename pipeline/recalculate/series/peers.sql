-- Values that peers are compared by: total return in the reporting currency, of every member of a group and every window.
CREATE TEMP TABLE peer_value ON COMMIT DROP AS
SELECT w.instrument, i.peer_group, w."window", i.in_scope,
       CASE WHEN i.in_reporting THEN w.reason ELSE pg_temp.reason(w.reason, s.reason, e.reason) END AS reason,
       round(w.end_level / w.start_level * CASE WHEN i.in_reporting THEN 1 ELSE pg_temp.wide(e.rate) / s.rate END - 1, 30) AS value
FROM total_window AS w JOIN instrument AS i USING (instrument)
LEFT JOIN fx_at AS s ON s.base = i.currency AND s.quote = i.reporting_currency AND s.session = w.start_session
LEFT JOIN fx_at AS e ON e.base = i.currency AND e.quote = i.reporting_currency AND e.session = w.end_session;

-- The members that have a value, in order of value.
CREATE TEMP TABLE peers ON COMMIT DROP AS
SELECT peer_group, "window", count(*)::int AS n, array_agg(value ORDER BY value) AS sorted
FROM peer_value WHERE reason IS NULL AND peer_group IS NOT NULL GROUP BY peer_group, "window";
