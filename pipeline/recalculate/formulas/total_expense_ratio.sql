-- Stated ratio. Sources agree when the one with fewer decimals equals the finest, rounded or truncated to as many;
-- the finest is the value. Otherwise CONFLICT.
SELECT instrument, 'total_expense_ratio' AS fact, '' AS "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(value) END AS value
FROM (
  SELECT i.instrument, f.value, f.retrieved_at, CASE WHEN f.value IS NULL THEN 'SOURCE_MISSING' WHEN x.differs THEN 'CONFLICT' END AS reason
  FROM instrument AS i
  -- the finest statement, the first in batch order among equals
  LEFT JOIN LATERAL (SELECT s.value::numeric AS value, s.retrieved_at FROM stated AS s WHERE s.instrument = i.instrument AND s.field = 'total_expense_ratio'
    ORDER BY min_scale(s.value::numeric) DESC, s.source_rank LIMIT 1) AS f ON true
  LEFT JOIN LATERAL (SELECT bool_or(s.value::numeric NOT IN (round(f.value, min_scale(s.value::numeric)), trunc(f.value, min_scale(s.value::numeric)))) AS differs
    FROM stated AS s WHERE s.instrument = i.instrument AND s.field = 'total_expense_ratio') AS x ON true
  WHERE i.in_scope
) AS fee;
