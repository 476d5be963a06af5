-- Rates at sessions: the last one on or before the date, at most 7 calendar days old, never one dated after it.
CREATE TEMP TABLE fx_at ON COMMIT DROP AS
SELECT w.base, w.quote, w.session, r.day, CASE WHEN w.session - r.day <= 7 THEN r.rate END AS rate,
       CASE WHEN NOT EXISTS (SELECT FROM pair_rate AS p WHERE p.base = w.base AND p.quote = w.quote) THEN 'SOURCE_MISSING'
            WHEN r.day IS NULL OR w.session - r.day > 7 THEN 'FX_GAP' END AS reason
FROM (
  SELECT DISTINCT i.currency AS base, i.reporting_currency AS quote, e.session
  FROM total_window AS t JOIN instrument AS i USING (instrument) CROSS JOIN LATERAL (VALUES (t.start_session), (t.end_session)) AS e(session)
  WHERE t.reason IS NULL AND NOT i.in_reporting
  UNION
  SELECT DISTINCT b.currency, i.currency, t.session
  FROM instrument AS i JOIN instrument AS b ON b.instrument = i.benchmark
  JOIN chosen AS c ON c.instrument = i.instrument AND c.role = 'total_return' JOIN tri AS t USING (series)
  WHERE i.in_scope AND b.currency <> i.currency AND NOT i.fx_hedged
) AS w
LEFT JOIN LATERAL (SELECT day, rate FROM pair_rate AS p WHERE p.base = w.base AND p.quote = w.quote AND p.day <= w.session ORDER BY p.day DESC LIMIT 1) AS r ON true;
CREATE UNIQUE INDEX ON fx_at (base, quote, session);
ANALYZE fx_at;
