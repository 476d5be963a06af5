-- Which series a kind of fact rests on: the first source in batch order, by order of bases, that is not stale. A series is one
-- column of one file, at one basis; bases never mix. Stale: no session within 5 calendar days before the cutoff.
CREATE TEMP TABLE candidate ON COMMIT DROP AS
WITH extent AS (
  SELECT file, min(session) FILTER (WHERE close > 0) AS first_close, max(session) FILTER (WHERE close > 0) AS last_close,
         min(session) FILTER (WHERE adjusted_close > 0) AS first_adjusted, max(session) FILTER (WHERE adjusted_close > 0) AS last_adjusted
  FROM bar GROUP BY file
)
SELECT row_number() OVER ()::int AS series, b.file, b.evidence, b.instrument, b.source_rank, b.cutoff, c.name, b.reading#>>ARRAY['basis', c.name] AS basis,
       c.first_session, c.end_session,
       CASE WHEN c.end_session IS NULL THEN 'NO_DATA' WHEN b.cutoff - c.end_session > 5 THEN 'STALE' END AS reason
FROM bar_file AS b LEFT JOIN extent AS e USING (file)
CROSS JOIN LATERAL (VALUES ('close', b.at_close, e.first_close, e.last_close), ('adjusted_close', b.at_adjusted, e.first_adjusted, e.last_adjusted))
  AS c(name, at, first_session, end_session)
WHERE b.readable AND b.reading#>>ARRAY['basis', c.name] IS NOT NULL AND b.reading#>>ARRAY['columns', c.name] IS NOT NULL
  -- a file with bars but without this column does not have the basis; a file with no bars has no data
  AND (NOT b.has_bars OR c.at IS NOT NULL);

-- Roles: price_return takes split_adjusted; price (last close, range, yield, traded value) takes as_traded as well; total_return takes
-- split_adjusted with distributions, else distribution_adjusted. Distributions in another basis than the closes are none.
CREATE TEMP TABLE chosen ON COMMIT DROP AS
WITH role(role, basis, basis_rank) AS (
  VALUES ('price_return', 'split_adjusted', 1), ('price', 'split_adjusted', 1), ('price', 'as_traded', 2),
         ('total_return', 'split_adjusted', 1), ('total_return', 'distribution_adjusted', 2)
),
offer AS (
  SELECT c.*, r.role, r.basis_rank, p.evidence AS payout_evidence,
         (r.role = 'total_return' AND r.basis = 'split_adjusted' AND p.reason IS NOT NULL) AS payout_missing
  FROM candidate AS c JOIN role AS r USING (basis) LEFT JOIN payout_source AS p ON p.instrument = c.instrument AND p.closes_basis = 'split_adjusted'
  WHERE r.role <> 'total_return' OR r.basis = 'distribution_adjusted' OR p.reason IS NOT NULL OR p.basis = 'split_adjusted'
),
best AS (
  SELECT DISTINCT ON (instrument, role) * FROM offer
  ORDER BY instrument, role, payout_missing DESC, (reason IS NOT NULL), CASE WHEN reason IS NULL THEN basis_rank END,
           (reason = 'STALE'), basis_rank, source_rank
)
SELECT i.instrument, r.role, b.series, b.file, b.name, b.basis, b.payout_evidence, b.first_session, b.end_session, i.cutoff,
       CASE WHEN b.payout_missing THEN 'SOURCE_MISSING'
            WHEN b.instrument IS NOT NULL THEN b.reason
            WHEN NOT EXISTS (SELECT FROM bar_file AS f WHERE f.instrument = i.instrument AND f.readable) THEN 'SOURCE_MISSING'
            -- closes there are, but no source of payouts is declared and no adjusted series stands in
            WHEN r.role = 'total_return' AND EXISTS (SELECT FROM candidate AS c WHERE c.instrument = i.instrument AND c.basis = 'split_adjusted')
              THEN 'SOURCE_MISSING'
            ELSE 'BASIS_NOT_AVAILABLE' END AS reason
FROM instrument AS i CROSS JOIN (SELECT DISTINCT role FROM role) AS r
LEFT JOIN best AS b ON b.instrument = i.instrument AND b.role = r.role;
ANALYZE chosen;
