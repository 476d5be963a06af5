-- Runs of agents: a journal, the documents beside it, and leases. All append-only and by tenant, as in 0001. A lease is a
-- row too: taking, renewing and giving up are events, and the token that fences others off is counted here, by the server.

CREATE TABLE "run_lease" (
  "tenant"  TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "root_id" TEXT NOT NULL CHECK ("root_id" <> ''),
  "seq"     BIGINT NOT NULL,
  "act"     TEXT NOT NULL CHECK ("act" IN ('take', 'renew', 'release')),
  -- Of one worker's holding; the worker that takes the run next gets the next.
  "fence"   BIGINT NOT NULL,
  "holder"  TEXT NOT NULL CHECK ("holder" <> ''),
  "ttl_ms"  BIGINT NOT NULL CHECK ("ttl_ms" BETWEEN 1 AND 3600000),
  "until"   TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "run_lease_pkey" PRIMARY KEY ("tenant", "root_id", "seq")
);

CREATE TABLE "run_entry" (
  "tenant"  TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "root_id" TEXT NOT NULL,
  "seq"     BIGINT NOT NULL CHECK ("seq" > 0),
  "fence"   BIGINT NOT NULL,
  -- Canonical text without its digest, kept as it is: the digest covers exactly these bytes.
  "facts"   JSON NOT NULL,
  "digest"  TEXT NOT NULL,
  CONSTRAINT "run_entry_pkey" PRIMARY KEY ("tenant", "root_id", "seq")
);

CREATE TABLE "run_document" (
  "tenant"   TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "digest"   TEXT NOT NULL,
  "kind"     TEXT NOT NULL CHECK ("kind" ~ '^[a-z_]+$'),
  "document" JSON NOT NULL,
  CONSTRAINT "run_document_pkey" PRIMARY KEY ("tenant", "digest")
);

CREATE FUNCTION "lock_run"(tenant text, root_id text) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('assay/run/' || tenant || '/' || root_id, 0))
$$;

-- Who may take, renew or release, and what the row then says: sequence, token and end are the server's, by the server's
-- clock, which all workers share.
CREATE FUNCTION "check_run_lease"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last record;
BEGIN
  PERFORM public.lock_run(NEW.tenant, NEW.root_id);
  SELECT l.seq, l.act, l.fence, l.holder, l.until INTO last FROM public.run_lease l
    WHERE l.tenant = NEW.tenant AND l.root_id = NEW.root_id ORDER BY l.seq DESC LIMIT 1;
  IF NEW.act = 'take' THEN
    IF last.act IN ('take', 'renew') AND last.until > clock_timestamp() THEN
      RAISE EXCEPTION 'RUN_LEASE_HELD: another worker holds the run until %', to_char(last.until AT TIME ZONE 'UTC', 'HH24:MI:SS')
        USING ERRCODE = 'AS010';
    END IF;
    NEW.fence := coalesce(last.fence, 0) + 1;
  ELSIF last.act IS NULL OR last.act = 'release' OR (NEW.fence, NEW.holder) IS DISTINCT FROM (last.fence, last.holder) THEN
    RAISE EXCEPTION 'RUN_FENCED: another worker has taken the run' USING ERRCODE = 'AS011';
  END IF;
  NEW.seq := coalesce(last.seq, 0) + 1;
  NEW.until := clock_timestamp() + NEW.ttl_ms * interval '1 millisecond';
  RETURN NEW;
END $$;
CREATE TRIGGER "run_lease_order" BEFORE INSERT ON "run_lease" FOR EACH ROW EXECUTE FUNCTION check_run_lease();
ALTER TABLE "run_lease" ENABLE ALWAYS TRIGGER "run_lease_order";

-- The journal's second path. A token that is not the last one writes nothing, however late its worker wakes up.
CREATE FUNCTION "check_run_entry"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  held record;
  last record;
BEGIN
  PERFORM public.lock_run(NEW.tenant, NEW.root_id);
  SELECT l.act, l.fence INTO held FROM public.run_lease l
    WHERE l.tenant = NEW.tenant AND l.root_id = NEW.root_id ORDER BY l.seq DESC LIMIT 1;
  IF held.act IS NULL OR held.act = 'release' OR held.fence <> NEW.fence THEN
    RAISE EXCEPTION 'RUN_FENCED: entry % is written by a worker that does not hold the run', NEW.seq USING ERRCODE = 'AS011';
  END IF;
  SELECT e.seq, e.digest INTO last FROM public.run_entry e
    WHERE e.tenant = NEW.tenant AND e.root_id = NEW.root_id ORDER BY e.seq DESC LIMIT 1;
  IF NEW.seq <> coalesce(last.seq, 0) + 1
     OR (NEW.facts ->> 'prev_digest', NEW.facts ->> 'seq', NEW.facts ->> 'fence', NEW.facts ->> 'root_id')
        IS DISTINCT FROM (coalesce(last.digest, repeat('0', 64)), NEW.seq::text, NEW.fence::text, NEW.root_id) THEN
    RAISE EXCEPTION 'RUN_FORK: entry % does not continue the journal', NEW.seq USING ERRCODE = 'AS012';
  END IF;
  IF NEW.digest IS DISTINCT FROM
     encode(sha256(convert_to('["assay/run_entry/v1",' || NEW.facts::text || ']', 'UTF8')), 'hex') THEN
    RAISE EXCEPTION 'RUN_DIGEST: digest of entry % is not that of its facts', NEW.seq USING ERRCODE = 'AS013';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "run_entry_chain" BEFORE INSERT ON "run_entry" FOR EACH ROW EXECUTE FUNCTION check_run_entry();
ALTER TABLE "run_entry" ENABLE ALWAYS TRIGGER "run_entry_chain";

CREATE FUNCTION "check_run_document"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.digest IS DISTINCT FROM
     encode(sha256(convert_to('["assay/' || NEW.kind || '/v1",' || NEW.document::text || ']', 'UTF8')), 'hex') THEN
    RAISE EXCEPTION 'RUN_DIGEST: digest of a document is not that of its bytes' USING ERRCODE = 'AS013';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "run_document_digest" BEFORE INSERT ON "run_document" FOR EACH ROW EXECUTE FUNCTION check_run_document();
ALTER TABLE "run_document" ENABLE ALWAYS TRIGGER "run_document_digest";

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['run_lease', 'run_entry', 'run_document'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant_rows ON %I USING (tenant = nullif(current_setting(''app.tenant'', true), ''''))
         WITH CHECK (tenant = nullif(current_setting(''app.tenant'', true), ''''))', name);
    EXECUTE format(
      'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', name);
    EXECUTE format(
      'CREATE TRIGGER never_truncated BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only', name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER never_truncated', name);
  END LOOP;
END $$;
