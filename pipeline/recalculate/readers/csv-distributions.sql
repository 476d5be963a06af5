-- csv-distributions: positive amounts by ex-date. Identical repeats count once, differing ones drop the date.
CREATE TEMP TABLE distribution ON COMMIT DROP AS
WITH line AS MATERIALIZED (
  SELECT p.evidence, p.instrument, pg_temp.day(l.f[array_position(p.header, p.reading#>>'{columns,ex_date}')]) AS ex_date,
         pg_temp.numeral(l.f[array_position(p.header, p.reading#>>'{columns,amount}')]) AS amount
  FROM payload AS p JOIN instrument AS i USING (instrument, market)
  CROSS JOIN LATERAL (SELECT string_to_array(line, ',') AS f FROM string_to_table(p.body, E'\n') AS t(line) WHERE line <> '' OFFSET 0) AS l
  WHERE p.contract = 'csv-distributions'
)
SELECT evidence, instrument, ex_date, min(amount) AS amount FROM line
WHERE ex_date IS NOT NULL
GROUP BY evidence, instrument, ex_date
HAVING (count(*) = 1 OR (count(DISTINCT amount) = 1 AND count(amount) = count(*))) AND min(amount) > 0;

-- Which file of payouts an instrument has beside closes of a basis: the first declared source that has one for it, or lists it under
-- pays_nothing, in that basis, else in another, which then does not serve. Declared for its market, yet neither: a missing source.
CREATE TEMP TABLE payout_source ON COMMIT DROP AS
SELECT DISTINCT ON (i.instrument, c.basis) i.instrument, c.basis AS closes_basis, p.evidence, d.reading->>'basis' AS basis,
       CASE WHEN p.evidence IS NOT NULL OR n.pays_nothing THEN NULL ELSE 'SOURCE_MISSING' END AS reason
FROM instrument AS i CROSS JOIN (VALUES ('split_adjusted'), ('as_traded')) AS c(basis)
JOIN declared AS d ON d.contract = 'csv-distributions' AND d.market = i.market
LEFT JOIN payload AS p ON p.source_id = d.source_id AND p.instrument = i.instrument AND p.body IS NOT NULL
CROSS JOIN LATERAL (SELECT d.reading->'pays_nothing' ?| ARRAY[i.ticker, i.instrument] IS TRUE AS pays_nothing) AS n
ORDER BY i.instrument, c.basis, (p.evidence IS NULL AND NOT n.pays_nothing), (d.reading->>'basis' <> c.basis), d.source_rank;
