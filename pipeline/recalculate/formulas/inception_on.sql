-- Date of inception as the first source in batch order states it.
-- prints: date as date
SELECT instrument, 'inception_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN value END AS value
FROM (
  SELECT i.instrument, s.value, s.retrieved_at, CASE WHEN s.value IS NULL THEN 'SOURCE_MISSING' END AS reason
  FROM instrument AS i LEFT JOIN LATERAL (SELECT value, retrieved_at FROM stated
    WHERE stated.instrument = i.instrument AND field = 'inception_on' ORDER BY source_rank LIMIT 1) AS s ON true WHERE i.in_scope
) AS first;
