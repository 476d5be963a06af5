-- FX(end) / FX(start) − 1, reporting currency per unit of the instrument's, at the sessions of total_return.
-- prints: ratio as percent_signed
SELECT instrument, 'fx_change' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(end_rate / start_rate - 1) END AS value
FROM (
  SELECT w.instrument, w."window", pg_temp.wide(e.rate) AS end_rate, pg_temp.wide(s.rate) AS start_rate,
         CASE WHEN i.in_reporting THEN 'NOT_APPLICABLE' ELSE pg_temp.reason(w.reason, s.reason, e.reason) END AS reason
  FROM total_window AS w JOIN instrument AS i USING (instrument)
  LEFT JOIN fx_at AS s ON s.base = i.currency AND s.quote = i.reporting_currency AND s.session = w.start_session
  LEFT JOIN fx_at AS e ON e.base = i.currency AND e.quote = i.reporting_currency AND e.session = w.end_session
) AS ends;
