-- UTC date of the most recent retrieval among the metadata sources that state anything of the instrument.
-- prints: date as date
SELECT instrument, 'metadata_retrieved_on' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN retrieved_on::text END AS value
FROM (
  SELECT i.instrument, s.retrieved_on, CASE WHEN s.retrieved_on IS NULL THEN 'SOURCE_MISSING' END AS reason
  FROM instrument AS i LEFT JOIN LATERAL (SELECT (max(retrieved_at) AT TIME ZONE 'UTC')::date AS retrieved_on FROM stated
    WHERE stated.instrument = i.instrument) AS s ON true WHERE i.in_scope
) AS newest;
