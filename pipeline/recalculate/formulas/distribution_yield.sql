-- Sum of payouts with ex-date in (cutoff − 12 months, cutoff] / last close.
-- prints: ratio as percent
SELECT instrument, 'distribution_yield' AS fact, 'ttm' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(pg_temp.wide(paid) / last) END AS value
FROM payout_ttm;
