-- Prelude: settings, the tables every later file fills, and the small functions they share. Run it first, inside a
-- transaction; nothing it makes outlives the session. Postgres 16 or later.
SET LOCAL jit = off;
SET LOCAL default_statistics_target = 10;
SET LOCAL work_mem = '96MB';
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO, YMD';
SET LOCAL client_min_messages = 'warning';
SET LOCAL max_parallel_workers_per_gather = 0;
-- Most tables below have no statistics: a hash join is never far off, the others can be. Look-ups by index stay what they are.
SET LOCAL enable_nestloop = off;
SET LOCAL enable_mergejoin = off;
-- Most tables below have no statistics: a hash join is never far off, the others can be. Look-ups by index stay what they are.
SET LOCAL enable_nestloop = off;
SET LOCAL enable_mergejoin = off;
-- Tables below are kept in memory. A session that had temporary tables before keeps the size that it has.
DO $$ BEGIN
  SET LOCAL temp_buffers = '64MB';
EXCEPTION WHEN invalid_parameter_value THEN NULL;
END $$;

-- Frozen bytes, as text that can be split at line ends and commas (readers/payload.sql). `body` is null where the bytes
-- are no text in any encoding that is tried. `source_rank` is the order of the batch.
CREATE TEMP TABLE payload (
  evidence text COLLATE "C" PRIMARY KEY, source_id text, source_rank int, contract text, market text, instrument text COLLATE "C",
  first_usable_at timestamptz, retrieved_at timestamptz, reading jsonb, body text, header text[]
) ON COMMIT DROP;
ALTER TABLE pg_temp.payload ALTER COLUMN body SET STORAGE EXTERNAL;

-- Sources as the batch declares them, whether or not a file of theirs was frozen.
CREATE TEMP TABLE declared (source_id text, source_rank int, contract text, market text, reading jsonb) ON COMMIT DROP;

-- The batch's terms: one row a market.
CREATE TEMP TABLE terms (market text, cutoff date, as_of timestamptz, as_of_text text, reporting_currency text) ON COMMIT DROP;

-- What is recalculated, in the order of the formulas. `formula` is the file that gave the row.
CREATE TEMP TABLE figure (
  formula text, instrument text COLLATE "C", fact text, "window" text, status text, reason text, value text
) ON COMMIT DROP;

CREATE TEMP TABLE catalogue (fact text, print_rule text, in_currency boolean) ON COMMIT DROP;

CREATE TEMP TABLE span (ordinal int, "window" text COLLATE "C") ON COMMIT DROP;
INSERT INTO span VALUES (1,'1d'),(2,'1w'),(3,'1m'),(4,'3m'),(5,'6m'),(6,'ytd'),(7,'1y'),(8,'3y'),(9,'5y');

-- Bytes to text: what the contract declares; else UTF-8, else Korean Windows (UHC, of which EUC-KR is a part).
CREATE FUNCTION pg_temp.decoded(bytes bytea, declared text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF substr(bytes, 1, 3) = '\xefbbbf'::bytea THEN
    bytes := substr(bytes, 4);
    declared := 'utf-8';
  END IF;
  IF declared IS NULL OR declared = 'utf-8' THEN
    BEGIN
      RETURN convert_from(bytes, 'UTF8');
    EXCEPTION WHEN OTHERS THEN
      IF declared = 'utf-8' THEN RETURN NULL; END IF;
    END;
  END IF;
  BEGIN
    RETURN convert_from(bytes, 'UHC');
  EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
  END;
END $$;

-- Resolves quotes: between the pieces that quotation marks cut, even ones lie inside, and an empty odd one between two
-- others is a doubled mark. Commas and line ends inside become \x1f and \x1e until pg_temp.cell() puts them back.
CREATE FUNCTION pg_temp.unquoted(body text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(
    CASE WHEN n % 2 = 0 THEN translate(piece, E',\n', E'\x1f\x1e')
         WHEN piece = '' AND n > 1 AND n < total THEN '"'
         ELSE piece END, '' ORDER BY n)
  FROM (SELECT piece, n, count(*) OVER () AS total FROM string_to_table(body, '"') WITH ORDINALITY AS t(piece, n)) AS cut
$$;

CREATE FUNCTION pg_temp.cell(field text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT translate(field, E'\x1e\x1f', E'\n,')
$$;

-- A plain numeral as NUMERIC, or null: thousands in well-formed groups, a leading +, exponents as floats print them; at most 30
-- digits. Blank, NaN, null, N/A, - and any junk are null: a payload cannot make a cast fail. What is nearer to zero than
-- 1e-30 is junk too, so that no divisor rounds to zero.
CREATE FUNCTION pg_temp.odd_numeral(field text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN v = 0 OR abs(v) >= 1e-30 THEN v END FROM (
    SELECT CASE
      WHEN length(translate(cell, '+-., ', '')) <= 34
       AND cell ~ '^[+-]?([0-9]{1,30}|[0-9]{1,3}(,[0-9]{3})+)?(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,2})?$'
       AND cell ~ '^[+-]?[.]?[0-9]'
      THEN replace(cell, ',', '')::numeric END AS v
    FROM (SELECT btrim(pg_temp.cell(field), E' \t') AS cell) AS trimmed) AS read
$$;
-- The common case, digits and at most one point, is tried first.
CREATE FUNCTION pg_temp.numeral(field text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN field IS NULL OR field = '' THEN NULL -- the second try is dear, and most files lack some column
    WHEN translate(field, '0123456789', '') IN ('', '.') AND length(field) <= 31 AND field <> '.' THEN field::numeric
    ELSE pg_temp.odd_numeral(field) END
$$;

-- A calendar date of the years 1900 to 2199 in one of four spellings, or null.
CREATE FUNCTION pg_temp.day(field text) RETURNS date LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  label text := btrim(field);
  digits text := translate(label, '-/.', '');
BEGIN
  IF label !~ '^[0-9]{8}$|^[0-9]{4}([-]..[-]|[/]..[/]|[.]..[.])..$' OR digits !~ '^(19|20|21)[0-9]{6}$'
    OR NOT pg_input_is_valid(digits, 'date') THEN RETURN NULL; END IF;
  RETURN digits::date;
END $$;

-- Text that says nothing is absent. Blanks of every script are trimmed.
CREATE FUNCTION pg_temp.stated(field text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN lower(trimmed) NOT IN ('', 'nan', 'null', 'none', 'n/a', 'na', '-') THEN trimmed END
  FROM (SELECT btrim(field, E' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') AS trimmed) AS t
$$;

-- Months back with the day clamped to the month's end: what Postgres does when it subtracts an interval of months.
CREATE FUNCTION pg_temp.anchor("window" text, cutoff date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "window"
    WHEN '1w' THEN cutoff - 7
    WHEN '1m' THEN (cutoff - interval '1 month')::date
    WHEN '3m' THEN (cutoff - interval '3 months')::date
    WHEN '6m' THEN (cutoff - interval '6 months')::date
    WHEN 'ytd' THEN (date_trunc('year', cutoff::timestamp) - interval '1 day')::date
    WHEN '1y' THEN (cutoff - interval '12 months')::date
    WHEN '3y' THEN (cutoff - interval '36 months')::date
    WHEN '5y' THEN (cutoff - interval '60 months')::date END
$$;

-- The closing instant of a session: regular hours of its market.
CREATE FUNCTION pg_temp.closes_at(market text, session date) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE market
    WHEN 'KR' THEN (session + time '15:30') AT TIME ZONE 'Asia/Seoul'
    WHEN 'US' THEN (session + time '16:00') AT TIME ZONE 'America/New_York' END
$$;

-- Of several reasons (nulls are none) the one that takes precedence.
CREATE FUNCTION pg_temp.reason(VARIADIC reasons text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  candidate text;
BEGIN
  FOREACH candidate IN ARRAY ARRAY['NOT_APPLICABLE','SOURCE_MISSING','BASIS_NOT_AVAILABLE','NO_BENCHMARK','NO_DATA','STALE',
    'INSUFFICIENT_HISTORY','GAP_AT_START','FX_GAP','BENCHMARK_STALE','PEER_GROUP_TOO_SMALL','FLAT_RANGE','NOT_RECOVERED','CONFLICT']
  LOOP
    IF candidate = ANY (reasons) THEN RETURN candidate; END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- NUMERIC to exact text: 30 decimals, which also takes back the noise of products kept to 40.
CREATE FUNCTION pg_temp.exact(value numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT trim_scale(round(value, 30))::text
$$;

-- Division and roots keep as many decimals as their operands bear, so operands are widened first.
CREATE FUNCTION pg_temp.wide(value numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(value, 40)
$$;

CREATE FUNCTION pg_temp.multiply_wide(state numeric, factor numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(state * factor, 40)
$$;
CREATE AGGREGATE pg_temp.product(numeric) (sfunc = pg_temp.multiply_wide, stype = numeric, initcond = '1');

-- The text of a payload, if its bytes are those that the envelope claims; otherwise nothing goes on.
CREATE FUNCTION pg_temp.body_of(bytes bytea, claimed text, evidence text, reading jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  body text;
BEGIN
  IF encode(sha256(bytes), 'hex') IS DISTINCT FROM claimed THEN
    RAISE EXCEPTION 'PAYLOAD_DIFFERS: bytes of % do not hash to %', evidence, claimed;
  END IF;
  body := pg_temp.decoded(bytes, reading->>'encoding');
  IF position(E'\r' IN body) > 0 THEN body := replace(replace(body, E'\r\n', E'\n'), E'\r', E'\n'); END IF;
  IF reading->>'contract' LIKE 'csv-%' AND position('"' IN body) > 0 THEN body := pg_temp.unquoted(body); END IF;
  RETURN body;
END $$;

-- Names of a CSV file's columns. Trimming a long text is dear and seldom needed.
CREATE FUNCTION pg_temp.header_of(body text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(btrim(pg_temp.cell(name)) ORDER BY n)
  FROM string_to_table(left(split_part(CASE WHEN starts_with(body, E'\n') THEN ltrim(body, E'\n') ELSE body END, E'\n', 1), 100000), ',') WITH ORDINALITY AS t(name, n)
$$;

-- Whether a column that the contract reads stands in the header more than once. NAV files have columns that are not read.
CREATE FUNCTION pg_temp.repeats_column(header text[], reading jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (
    SELECT FROM (
      SELECT value AS name FROM jsonb_each_text(CASE jsonb_typeof(reading->'columns') WHEN 'object' THEN reading->'columns' ELSE '{}' END)
      WHERE key NOT IN ('value', 'index_level')
      UNION SELECT reading->>'key'
      UNION SELECT f.value->>'column' FROM jsonb_each(CASE jsonb_typeof(reading->'fields') WHEN 'object' THEN reading->'fields' ELSE '{}' END) AS f
    ) AS wanted WHERE cardinality(array_positions(header, wanted.name)) > 1
  )
$$;

-- JSON that is none is null.
CREATE FUNCTION pg_temp.document_of(body text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN body::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded OR statement_too_complex THEN
  RETURN NULL;
END $$;
