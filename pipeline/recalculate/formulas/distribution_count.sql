-- Number of ex-dates in (cutoff − 12 months, cutoff].
SELECT instrument, 'distribution_count' AS fact, 'ttm' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN dates::text END AS value
FROM (
  SELECT i.instrument, l.value AS last, d.paid, d.dates,
         CASE WHEN p.reason IS NOT NULL THEN p.reason
              WHEN c.reason IS NOT NULL THEN c.reason
              WHEN p.instrument IS NULL THEN 'SOURCE_MISSING'
              WHEN p.basis <> c.basis THEN 'BASIS_NOT_AVAILABLE'
              WHEN c.first_session > c.cutoff - interval '12 months' THEN 'INSUFFICIENT_HISTORY' END AS reason
  FROM instrument AS i JOIN chosen AS c ON c.instrument = i.instrument AND c.role = 'price'
  LEFT JOIN payout_source AS p ON p.instrument = i.instrument AND p.closes_basis = coalesce(c.basis, 'split_adjusted')
  LEFT JOIN quote AS l ON l.series = c.series AND l.session = c.end_session
  LEFT JOIN LATERAL (SELECT coalesce(sum(x.amount), 0) AS paid, count(*) AS dates FROM distribution AS x
    WHERE x.evidence = p.evidence AND x.instrument = i.instrument AND x.ex_date > c.cutoff - interval '12 months' AND x.ex_date <= c.cutoff) AS d ON true
  WHERE i.in_scope
) AS year;
