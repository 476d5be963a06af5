-- The batch's cutoff for the instrument's market.
-- prints: date as date
SELECT instrument, 'cutoff_on' AS fact, '' AS "window", 'OK' AS status, NULL AS reason, cutoff::text AS value FROM instrument;
