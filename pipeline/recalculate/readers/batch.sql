-- The request: cutoffs, knowledge bound, reporting currency and the declared sources in order. :'batch' is the batch document,
-- :'readings' an object of source id to the CSV or JSON contract its bytes are read under (a source of
-- which nothing was frozen may be absent there), :'catalogue' the print rules.
INSERT INTO terms
SELECT c.key, c.value::date, (b.doc->>'as_of')::timestamptz, b.doc->>'as_of', b.doc->>'reporting_currency'
FROM (SELECT :'batch'::jsonb AS doc) AS b CROSS JOIN LATERAL jsonb_each_text(b.doc->'cutoff') AS c;

INSERT INTO declared
SELECT s.doc->>'id', s.rank::int, CASE r.reading->>'contract' WHEN 'synthetic' THEN 'csv-' || (r.reading->>'produces') ELSE r.reading->>'contract' END,
       r.reading->>'market', r.reading
FROM jsonb_array_elements(:'batch'::jsonb->'sources') WITH ORDINALITY AS s(doc, rank)
CROSS JOIN LATERAL (SELECT coalesce(:'readings'::jsonb->(s.doc->>'id'), s.doc) AS reading) AS r;

INSERT INTO catalogue
SELECT c->>'fact', c->>'print_rule', (c->>'in_currency')::boolean FROM jsonb_array_elements(:'catalogue'::jsonb) AS c;
