-- Number of ex-dates in (cutoff − 12 months, cutoff].
-- prints: count as count
SELECT instrument, 'distribution_count' AS fact, 'ttm' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN dates::text END AS value
FROM payout_ttm;
