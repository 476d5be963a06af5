-- The batch's as_of: what was knowable.
-- prints: instant as instant
SELECT i.instrument, 'known_at' AS fact, '' AS "window", 'OK' AS status, NULL AS reason, t.as_of_text AS value
FROM instrument AS i JOIN terms AS t USING (market);
