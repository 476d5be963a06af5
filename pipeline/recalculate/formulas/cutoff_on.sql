-- The batch's cutoff for the instrument's market.
SELECT instrument, 'cutoff_on' AS fact, '' AS "window", 'OK' AS status, NULL AS reason, cutoff::text AS value FROM instrument;
