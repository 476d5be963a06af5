-- The first tables: ledger, source versions, step results, card versions.
-- Every table carries its tenant, in its key and in a forced row-level policy: no tenant set, no rows.
-- Every table is append-only: triggers refuse UPDATE, DELETE and TRUNCATE to everyone, owner and superuser included;
-- the application role is not even granted them. Errors bear the class AS and begin with a permanent code.

CREATE TABLE "ledger_event" (
  "tenant"      TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "seq"         BIGINT NOT NULL CHECK ("seq" > 0),
  "prev_digest" TEXT NOT NULL,
  "type"        TEXT NOT NULL CHECK ("type" ~ '^[a-z_]+/v[0-9]+$'),
  -- json, not jsonb: the canonical text itself is kept, because body_digest covers exactly these bytes.
  "body"        JSON NOT NULL CHECK (json_typeof("body") = 'object'),
  "body_digest" TEXT NOT NULL,
  "actor"       TEXT NOT NULL CHECK ("actor" <> ''),
  "at"          TIMESTAMPTZ(3) NOT NULL,
  "digest"      TEXT NOT NULL,
  CONSTRAINT "ledger_event_pkey" PRIMARY KEY ("tenant", "seq")
);
CREATE INDEX "ledger_event_tenant_type_seq_idx" ON "ledger_event" ("tenant", "type", "seq");

CREATE TABLE "source_version" (
  "tenant"      TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "evidence_id" TEXT NOT NULL CHECK ("evidence_id" <> ''),
  "document"    JSONB NOT NULL CHECK (jsonb_typeof("document") = 'object'),
  "ingested_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "source_version_pkey" PRIMARY KEY ("tenant", "evidence_id")
);

CREATE TABLE "step_result" (
  "tenant"        TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "key"           TEXT NOT NULL CHECK ("key" ~ '^[0-9a-f]{64}$'),
  "step"          TEXT NOT NULL,
  "batch"         TEXT NOT NULL,
  "instrument"    TEXT,
  "outcome"       TEXT NOT NULL CHECK ("outcome" <> ''),
  "output_digest" TEXT NOT NULL CHECK ("output_digest" ~ '^[0-9a-f]{64}$'),
  "recorded_at"   TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "step_result_pkey" PRIMARY KEY ("tenant", "key")
);
CREATE INDEX "step_result_tenant_batch_instrument_idx" ON "step_result" ("tenant", "batch", "instrument");

CREATE TABLE "card_version" (
  "tenant"          TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "version_id"      TEXT NOT NULL CHECK ("version_id" <> ''),
  "batch"           TEXT NOT NULL,
  "instrument"      TEXT NOT NULL,
  "channel"         TEXT NOT NULL,
  "locale"          TEXT NOT NULL,
  "content_digest"  TEXT NOT NULL CHECK ("content_digest" ~ '^[0-9a-f]{64}$'),
  "document_digest" TEXT NOT NULL CHECK ("document_digest" ~ '^[0-9a-f]{64}$'),
  "recorded_at"     TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "card_version_pkey" PRIMARY KEY ("tenant", "version_id")
);
CREATE UNIQUE INDEX "card_version_tenant_batch_instrument_channel_locale_content_key"
  ON "card_version" ("tenant", "batch", "instrument", "channel", "locale", "content_digest");

CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'APPEND_ONLY: % on %', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'AS001', HINT = 'Nothing is changed in place: append a correction.';
END $$;

-- The chain's second path: what pipeline/ledger/append.ts computes is computed again here from the row.
-- public. is spelled out, so that a temporary table of the same name cannot stand in for the ledger.
CREATE FUNCTION "check_ledger_chain"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  previous text := repeat('0', 64);
BEGIN
  IF NEW.seq > 1 THEN
    SELECT digest INTO previous FROM public.ledger_event WHERE tenant = NEW.tenant AND seq = NEW.seq - 1;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'LEDGER_GAP: no event % before event %', NEW.seq - 1, NEW.seq USING ERRCODE = 'AS002';
    END IF;
  END IF;
  IF NEW.prev_digest IS DISTINCT FROM previous THEN
    RAISE EXCEPTION 'LEDGER_FORK: event % does not continue the chain', NEW.seq USING ERRCODE = 'AS003';
  END IF;
  IF NEW.body_digest IS DISTINCT FROM
     encode(sha256(convert_to('["assay/ledger_body/v1",' || NEW.body::text || ']', 'UTF8')), 'hex') THEN
    RAISE EXCEPTION 'LEDGER_BODY: body_digest of event % is not that of its body', NEW.seq USING ERRCODE = 'AS004';
  END IF;
  IF NEW.digest IS DISTINCT FROM encode(sha256(convert_to(
       '["assay/ledger_event/v1",{"actor":' || to_json(NEW.actor)::text
       || ',"at":"' || to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       || '","body_digest":"' || NEW.body_digest
       || '","prev_digest":"' || NEW.prev_digest
       || '","seq":' || NEW.seq
       || ',"tenant":"' || NEW.tenant
       || '","type":"' || NEW.type || '"}]', 'UTF8')), 'hex') THEN
    RAISE EXCEPTION 'LEDGER_DIGEST: digest of event % is not that of its fields', NEW.seq USING ERRCODE = 'AS005';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "ledger_chain" BEFORE INSERT ON "ledger_event" FOR EACH ROW EXECUTE FUNCTION "check_ledger_chain"();
ALTER TABLE "ledger_event" ENABLE ALWAYS TRIGGER "ledger_chain";

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_event', 'source_version', 'step_result', 'card_version'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant_rows ON %I USING (tenant = nullif(current_setting(''app.tenant'', true), ''''))
         WITH CHECK (tenant = nullif(current_setting(''app.tenant'', true), ''''))', name);
    EXECUTE format(
      'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', name);
    EXECUTE format(
      'CREATE TRIGGER never_truncated BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
    -- ALWAYS: they fire in replica mode too.
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER append_only', name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER never_truncated', name);
  END LOOP;
END $$;
