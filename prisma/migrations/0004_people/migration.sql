-- People: their saved methods, what they say, what they are asked. All append-only and by tenant, as in 0001; each trigger
-- here is the second path of a pure function in pipeline/agents and was written from the design.

CREATE TABLE "expert_revision" (
  "tenant"       TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "expert_id"    TEXT NOT NULL CHECK ("expert_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  "revision"     BIGINT NOT NULL,
  "owner"        TEXT NOT NULL CHECK ("owner" <> ''),
  -- Name, description and instructions as canonical text: the hash covers exactly these bytes.
  "method"       JSON NOT NULL,
  "content_hash" TEXT NOT NULL,
  "state"        TEXT NOT NULL CHECK ("state" IN ('enabled', 'disabled', 'deleted')),
  "saved_at"     TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "expert_revision_pkey" PRIMARY KEY ("tenant", "expert_id", "revision")
);
CREATE INDEX "expert_revision_tenant_owner_idx" ON "expert_revision" ("tenant", "owner");

-- What a run may choose from, as it was when the run began.
CREATE TABLE "expert_catalogue" (
  "tenant"   TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "digest"   TEXT NOT NULL,
  "document" JSON NOT NULL,
  CONSTRAINT "expert_catalogue_pkey" PRIMARY KEY ("tenant", "digest")
);

CREATE TABLE "client_message" (
  "tenant"            TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "sender"            TEXT NOT NULL CHECK ("sender" <> ''),
  "client_message_id" TEXT NOT NULL CHECK ("client_message_id" <> ''),
  "seq"               BIGINT NOT NULL,
  "root_id"           TEXT NOT NULL CHECK ("root_id" <> ''),
  "body"              JSON NOT NULL CHECK (json_typeof("body") = 'object'),
  "body_digest"       TEXT NOT NULL,
  "terms"             JSON,
  "at"                TIMESTAMPTZ(3) NOT NULL,
  -- The run that it begins: there is one beginning to a run.
  "begins"            TEXT GENERATED ALWAYS AS (CASE WHEN "body" ->> 'kind' IN ('ask', 'continue') THEN "root_id" END) STORED,
  CONSTRAINT "client_message_pkey" PRIMARY KEY ("tenant", "sender", "client_message_id")
);
CREATE UNIQUE INDEX "client_message_tenant_begins_key" ON "client_message" ("tenant", "begins");
CREATE UNIQUE INDEX "client_message_tenant_seq_key" ON "client_message" ("tenant", "seq");
CREATE INDEX "client_message_tenant_root_id_seq_idx" ON "client_message" ("tenant", "root_id", "seq");

CREATE TABLE "interaction_event" (
  "tenant"             TEXT NOT NULL CHECK ("tenant" ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
  "interaction_id"     TEXT NOT NULL CHECK ("interaction_id" ~ '^[0-9a-f]{32}$'),
  "seq"                BIGINT NOT NULL,
  "type"               TEXT NOT NULL CHECK ("type" ~ '^[a-z]+/v[0-9]+$'),
  "body"               JSON NOT NULL CHECK (json_typeof("body") = 'object'),
  "at"                 TIMESTAMPTZ(3) NOT NULL,
  -- What is looked up and what must be unique, as columns: all follow from the body.
  "root_id"            TEXT GENERATED ALWAYS AS ("body" ->> 'root_id') STORED,
  "effect_key"         TEXT GENERATED ALWAYS AS ("body" ->> 'effect_key') STORED,
  "respondent"         TEXT GENERATED ALWAYS AS ("body" ->> 'respondent') STORED,
  "client_response_id" TEXT GENERATED ALWAYS AS ("body" ->> 'client_response_id') STORED,
  CONSTRAINT "interaction_event_pkey" PRIMARY KEY ("tenant", "interaction_id", "seq")
);
CREATE INDEX "interaction_event_tenant_root_id_idx" ON "interaction_event" ("tenant", "root_id");
CREATE INDEX "interaction_event_tenant_effect_key_idx" ON "interaction_event" ("tenant", "effect_key");
CREATE UNIQUE INDEX "interaction_event_tenant_respondent_client_response_id_key"
  ON "interaction_event" ("tenant", "respondent", "client_response_id");

-- People are few and slow: whoever reads, decides and appends waits for the one before, per tenant.
CREATE FUNCTION "lock_people"(tenant text) RETURNS void LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('assay/people/' || tenant, 0))
$$;

CREATE FUNCTION "refuse_people"(code text, detail text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '%: %', code, detail USING ERRCODE = 'AS020';
END $$;

CREATE FUNCTION "check_expert_revision"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last    record;
  saved   bigint;
  enabled bigint;
BEGIN
  PERFORM public.lock_people(NEW.tenant);
  SELECT e.revision, e.owner, e.state INTO last FROM public.expert_revision e
    WHERE e.tenant = NEW.tenant AND e.expert_id = NEW.expert_id ORDER BY e.revision DESC LIMIT 1;
  IF NEW.revision <> coalesce(last.revision, 0) + 1 OR last.owner <> NEW.owner OR last.state = 'deleted'
     OR last.revision IS NULL AND NEW.state = 'deleted' THEN
    PERFORM public.refuse_people('EXPERT_CONFLICT', 'the revision does not follow from the one before');
  END IF;
  IF NEW.content_hash IS DISTINCT FROM
     encode(sha256(convert_to('["assay/expert_content/v1",' || NEW.method::text || ']', 'UTF8')), 'hex') THEN
    PERFORM public.refuse_people('EXPERT_HASH', 'the hash is not that of the method');
  END IF;
  SELECT count(*) FILTER (WHERE e.state <> 'deleted'), count(*) FILTER (WHERE e.state = 'enabled') INTO saved, enabled
    FROM (SELECT DISTINCT ON (x.expert_id) x.expert_id, x.state FROM public.expert_revision x
          WHERE x.tenant = NEW.tenant AND x.owner = NEW.owner ORDER BY x.expert_id, x.revision DESC) e
    WHERE e.expert_id <> NEW.expert_id;
  IF NEW.state <> 'deleted' AND saved >= 20 THEN
    PERFORM public.refuse_people('EXPERTS_TOO_MANY', 'twenty methods are saved');
  END IF;
  IF NEW.state = 'enabled' AND enabled >= 8 THEN
    PERFORM public.refuse_people('EXPERTS_ENABLED_TOO_MANY', 'eight methods are enabled');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "expert_revision_order" BEFORE INSERT ON "expert_revision" FOR EACH ROW EXECUTE FUNCTION check_expert_revision();
ALTER TABLE "expert_revision" ENABLE ALWAYS TRIGGER "expert_revision_order";

CREATE FUNCTION "check_expert_catalogue"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.digest IS DISTINCT FROM
     encode(sha256(convert_to('["assay/expert_catalogue/v1",' || NEW.document::text || ']', 'UTF8')), 'hex') THEN
    PERFORM public.refuse_people('CATALOGUE_DIGEST', 'the digest is not that of the catalogue');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "expert_catalogue_digest" BEFORE INSERT ON "expert_catalogue" FOR EACH ROW EXECUTE FUNCTION check_expert_catalogue();
ALTER TABLE "expert_catalogue" ENABLE ALWAYS TRIGGER "expert_catalogue_digest";

-- A message names its run: it begins one, or one began before it. Sequence is the server's.
CREATE FUNCTION "check_client_message"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kind   text := NEW.body ->> 'kind';
  target text := coalesce(NEW.body ->> 'run', NEW.body ->> 'of');
BEGIN
  PERFORM public.lock_people(NEW.tenant);
  NEW.seq := coalesce((SELECT max(m.seq) FROM public.client_message m WHERE m.tenant = NEW.tenant), 0) + 1;
  IF NEW.body_digest IS DISTINCT FROM
     encode(sha256(convert_to('["assay/client_message/v1",' || NEW.body::text || ']', 'UTF8')), 'hex') THEN
    PERFORM public.refuse_people('MESSAGE_DIGEST', 'the digest is not that of the message');
  END IF;
  IF (kind IN ('ask', 'continue')) IS DISTINCT FROM (NEW.terms IS NOT NULL)
     OR kind IN ('correct', 'stop') AND target IS DISTINCT FROM NEW.root_id
     OR kind = 'continue' AND NEW.terms ->> 'linked_to' IS DISTINCT FROM target
     OR kind <> 'ask' AND NOT EXISTS (SELECT FROM public.client_message m WHERE m.tenant = NEW.tenant AND m.begins = target) THEN
    PERFORM public.refuse_people('RUN_UNKNOWN', 'the message does not fit the run that it names');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "client_message_order" BEFORE INSERT ON "client_message" FOR EACH ROW EXECUTE FUNCTION check_client_message();
ALTER TABLE "client_message" ENABLE ALWAYS TRIGGER "client_message_order";

-- The four facts in their order, each once, each by whom it belongs to. Read from the body: generated columns come later.
CREATE FUNCTION "check_interaction_event"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  request  json;
  kind     text;
  types    text[];
  answer   json;
  last     bigint;
  outcomes text[];
  legal    boolean := false;
BEGIN
  PERFORM public.lock_people(NEW.tenant);
  SELECT coalesce(max(e.seq), 0), coalesce(array_agg(e.type), '{}') INTO last, types FROM public.interaction_event e
    WHERE e.tenant = NEW.tenant AND e.interaction_id = NEW.interaction_id;
  IF NEW.seq <> last + 1 OR (NEW.type = 'accepted/v1') <> (last = 0) THEN
    PERFORM public.refuse_people('INTERACTION_ORDER', 'the event does not follow from those before');
  END IF;
  IF last = 0 THEN
    request := NEW.body -> 'request';
    IF request ->> 'interaction_id' IS DISTINCT FROM NEW.interaction_id OR request ->> 'revision' <> '1' THEN
      PERFORM public.refuse_people('INTERACTION_ORDER', 'a request begins with its first revision');
    END IF;
    -- What nobody knows the outcome of is not proposed again.
    IF NEW.body ->> 'effect_key' IS NOT NULL AND EXISTS (
        SELECT FROM public.interaction_event a WHERE a.tenant = NEW.tenant AND a.effect_key = NEW.body ->> 'effect_key'
          AND (SELECT e.body ->> 'outcome' FROM public.interaction_event e WHERE e.tenant = a.tenant
                 AND e.interaction_id = a.interaction_id AND e.type = 'committed/v1' ORDER BY e.seq DESC LIMIT 1) = 'UNKNOWN') THEN
      PERFORM public.refuse_people('EFFECT_UNKNOWN', 'the outcome of this very effect is unknown');
    END IF;
    RETURN NEW;
  END IF;

  SELECT e.body -> 'request' INTO request FROM public.interaction_event e WHERE e.tenant = NEW.tenant
    AND e.interaction_id = NEW.interaction_id AND e.type IN ('accepted/v1', 'revised/v1') ORDER BY e.seq DESC LIMIT 1;
  SELECT e.body -> 'answer' INTO answer FROM public.interaction_event e WHERE e.tenant = NEW.tenant
    AND e.interaction_id = NEW.interaction_id AND e.type = 'received/v1';
  SELECT array_agg(e.body ->> 'outcome' ORDER BY e.seq) INTO outcomes FROM public.interaction_event e WHERE e.tenant = NEW.tenant
    AND e.interaction_id = NEW.interaction_id AND e.type = 'committed/v1';
  kind := request -> 'asked' ->> 'kind';
  CASE NEW.type
    WHEN 'revised/v1' THEN
      legal := kind = 'question' AND NOT types && ARRAY['received/v1', 'withdrawn/v1']
        AND (NEW.body -> 'request' ->> 'revision')::bigint = (request ->> 'revision')::bigint + 1
        AND (NEW.body -> 'request' ->> 'root_id', NEW.body -> 'request' ->> 'task_id', NEW.body -> 'request' -> 'asked' ->> 'kind',
             NEW.body -> 'request' ->> 'recipient')
            IS NOT DISTINCT FROM (request ->> 'root_id', request ->> 'task_id', kind, request ->> 'recipient');
    WHEN 'withdrawn/v1' THEN
      legal := NOT types && ARRAY['received/v1', 'withdrawn/v1'];
    WHEN 'received/v1' THEN
      legal := NOT types && ARRAY['received/v1', 'withdrawn/v1']
        AND (NEW.body ->> 'revision')::bigint = (request ->> 'revision')::bigint
        AND NEW.at < (request ->> 'expires_at')::timestamptz
        AND NEW.body -> 'answer' ->> 'kind' = kind
        AND (request ->> 'recipient' IS NULL OR request ->> 'recipient' = NEW.body ->> 'respondent')
        AND (kind = 'question' OR (NEW.body ->> 'is_authenticated')::boolean);
    WHEN 'adopted/v1' THEN
      legal := answer IS NOT NULL AND NOT 'adopted/v1' = ANY (types)
        AND NEW.body ->> 'owner' = CASE kind WHEN 'question' THEN 'task' WHEN 'permission' THEN 'authorization' ELSE 'effect' END
        -- A task's own receipt: the entry of its journal that took the answer in. In a run that continues the one that
        -- asked, its root took it in.
        AND (kind <> 'question' OR EXISTS (
          SELECT FROM public.run_entry r WHERE r.tenant = NEW.tenant
            AND r.root_id = NEW.body -> 'reference' ->> 'root_id' AND r.seq = (NEW.body -> 'reference' ->> 'seq')::bigint
            AND r.facts -> 'body' ->> 'type' = 'input_adopted' AND r.facts ->> 'task_id' = NEW.body ->> 'consumer'
            AND r.facts -> 'body' -> 'input' ->> 'id' = 'interaction/' || NEW.interaction_id
            AND ((r.root_id, r.facts ->> 'task_id') = (request ->> 'root_id', request ->> 'task_id') OR EXISTS (
              SELECT FROM public.client_message m WHERE m.tenant = NEW.tenant AND m.begins = r.root_id
                AND m.terms ->> 'linked_to' = request ->> 'root_id'))));
    WHEN 'committed/v1' THEN
      legal := 'adopted/v1' = ANY (types) AND answer ->> 'decision' IN ('grant', 'approve')
        -- Once; but what was unknown may become known.
        AND (outcomes IS NULL OR outcomes = ARRAY['UNKNOWN'] AND NEW.body ->> 'outcome' <> 'UNKNOWN')
        AND (kind <> 'approval' OR (NEW.body ->> 'arguments_digest', NEW.body ->> 'preview_digest')
             IS NOT DISTINCT FROM (request -> 'asked' ->> 'arguments_digest', request -> 'asked' ->> 'preview_digest'));
    ELSE
      legal := false;
  END CASE;
  IF legal IS NOT TRUE THEN
    PERFORM public.refuse_people('INTERACTION_ORDER', format('%s is not legal here', left(NEW.type, 40)));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "interaction_event_order" BEFORE INSERT ON "interaction_event" FOR EACH ROW EXECUTE FUNCTION check_interaction_event();
ALTER TABLE "interaction_event" ENABLE ALWAYS TRIGGER "interaction_event_order";

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['expert_revision', 'expert_catalogue', 'client_message', 'interaction_event'] LOOP
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
