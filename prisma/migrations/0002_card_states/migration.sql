-- What an event is about, as columns: row-level security keeps an index on the expression (body ->> …) from being used,
-- since that function could tell of other tenants' rows; equality of text cannot. Both follow from the body alone.
ALTER TABLE "ledger_event"
  ADD COLUMN "version_id" TEXT GENERATED ALWAYS AS ("body" ->> 'version_id') STORED,
  ADD COLUMN "frozen"     TEXT GENERATED ALWAYS AS ("body" ->> 'frozen') STORED;
CREATE INDEX "ledger_event_tenant_version_id_seq_idx" ON "ledger_event" ("tenant", "version_id", "seq");
CREATE INDEX "ledger_event_tenant_frozen_seq_idx" ON "ledger_event" ("tenant", "frozen", "seq");

-- Every function fixes its search path: a session may put operators of its own before those of pg_catalog, and a trigger
-- runs in the session's path otherwise. For the same reason no plain string here bears a backslash: what it means is the
-- session's choice too.
ALTER FUNCTION "refuse_change"() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION "check_ledger_chain"() SET search_path = pg_catalog, public, pg_temp;

-- The state machine's second path: what pipeline/lifecycle/card-state.ts allows is written here once more, from the
-- design and not from that file. NULL before the first event; '=' is the verdict that the version was judged with.
CREATE FUNCTION "next_card_state"(state text, event_type text, verdict text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN t.target = '=' THEN verdict ELSE t.target END
  FROM (VALUES
    (NULL,       'card_verified/v1',             '='),
    (NULL,       'card_faulted/v1',              'BLOCK'),
    ('PASS',     'card_approved/v1',             'APPROVED'),
    ('PASS',     'card_rejected/v1',             'REJECTED'),
    ('REVIEW',   'card_finding_acknowledged/v1', 'REVIEW'),
    ('REVIEW',   'card_approved/v1',             'APPROVED'),
    ('REVIEW',   'card_rejected/v1',             'REJECTED'),
    ('BLOCK',    'card_remediated/v1',           'SUPERSEDED'),
    ('BLOCK',    'card_terminated/v1',           'TERMINATED'),
    ('REJECTED', 'card_remediated/v1',           'SUPERSEDED'),
    ('APPROVED', 'card_approval_withdrawn/v1',   '='),
    ('APPROVED', 'card_approval_expired/v1',     '='),
    ('APPROVED', 'card_sealed/v1',               'SEALED'),
    ('SEALED',   'card_revoked/v1',              'REVOKED'),
    ('SEALED',   'card_superseded/v1',           'SUPERSEDED')
  ) AS t (origin, event_type, target)
  WHERE t.origin IS NOT DISTINCT FROM state AND t.event_type = next_card_state.event_type
$$;

-- None for what is no array.
CREATE FUNCTION "elements_of"(list json) RETURNS SETOF json
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT json_array_elements(CASE json_typeof(list) WHEN 'array' THEN list END)
$$;

-- The maximum of the decisions' findings; NULL without a decision. What is no finding as the schema has it counts as BLOCK.
CREATE FUNCTION "verdict_of"(decisions json) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE
    WHEN count(*) = 0 THEN NULL
    WHEN bool_or(json_typeof(d -> 'findings') IS DISTINCT FROM 'array' OR d ->> 'verdict' = 'BLOCK'
                 OR f IS NOT NULL AND f ->> 'severity' IS DISTINCT FROM 'REVIEW') THEN 'BLOCK'
    WHEN bool_or(d ->> 'verdict' = 'REVIEW' OR f IS NOT NULL) THEN 'REVIEW'
    ELSE 'PASS' END
  FROM public.elements_of(decisions) d LEFT JOIN LATERAL public.elements_of(d -> 'findings') f ON true
$$;

CREATE FUNCTION "finding_names"(decisions json) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(array_agg(concat(d ->> 'gate', '/', f ->> 'code', '/', f ->> 'subject')), '{}')
  FROM public.elements_of(decisions) d, public.elements_of(d -> 'findings') f
$$;

-- NULL for what is no instant in stored form.
CREATE FUNCTION "to_instant"(stored text) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN stored ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$'
                   AND pg_input_is_valid(stored, 'timestamptz') THEN stored::timestamptz END
$$;

-- Fires after ledger_chain (triggers fire by name): writers are in line by then, each sees all that was before it.
CREATE FUNCTION "check_card_transition"() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  version  text := NEW.body ->> 'version_id';
  origin   text := NEW.body ->> 'frozen';
  reason   text := NEW.body ->> 'reason';
  due      text;
  judged   json;
  findings text[];
  known    text[] := '{}';
  ends_at  timestamptz;
  last_at  timestamptz := '-infinity';
  past     record;
  state    text;
BEGIN
  -- Work on a card needs its frozen batch received and planned; it is planned once.
  IF NEW.type IN ('batch_planned/v1', 'card_rendered/v1', 'card_verified/v1', 'card_faulted/v1')
     OR NEW.type = 'step_recorded/v1' AND NEW.body ->> 'step' = 'facts' THEN
    IF NOT EXISTS (SELECT FROM public.ledger_event e WHERE e.tenant = NEW.tenant AND e.frozen = origin
                   AND e.type = CASE NEW.type WHEN 'batch_planned/v1' THEN 'batch_received/v1' ELSE 'batch_planned/v1' END)
       OR NEW.type = 'batch_planned/v1' AND EXISTS (
         SELECT FROM public.ledger_event e WHERE e.tenant = NEW.tenant AND e.frozen = origin AND e.type = NEW.type) THEN
      RAISE EXCEPTION 'ILLEGAL_TRANSITION: % at event %: its batch is not received, not planned, or planned already',
        NEW.type, NEW.seq USING ERRCODE = 'AS006';
    END IF;
  END IF;

  IF version IS NULL THEN
    IF NEW.type NOT IN ('batch_planned/v1', 'step_recorded/v1', 'card_rendered/v1') THEN
      RAISE EXCEPTION 'ILLEGAL_TRANSITION: % at event % names no version', NEW.type, NEW.seq USING ERRCODE = 'AS006';
    END IF;
    RETURN NEW;
  END IF;
  FOR past IN SELECT e.type, e.body, e.at FROM public.ledger_event e
              WHERE e.tenant = NEW.tenant AND e.version_id = version AND starts_with(e.type, 'card_') ORDER BY e.seq LOOP
    judged := coalesce(judged, past.body);
    last_at := past.at;
    CASE past.type
      WHEN 'card_finding_acknowledged/v1' THEN known := known || (past.body ->> 'finding');
      WHEN 'card_approved/v1' THEN ends_at := public.to_instant(past.body ->> 'expires_at');
      WHEN 'card_approval_withdrawn/v1', 'card_approval_expired/v1' THEN known := '{}';
      ELSE NULL;
    END CASE;
    state := public.next_card_state(state, past.type, coalesce(judged ->> 'verdict', 'BLOCK'));
  END LOOP;
  IF public.next_card_state(state, NEW.type, coalesce(NEW.body ->> 'verdict', 'BLOCK')) IS NULL THEN
    RAISE EXCEPTION 'ILLEGAL_TRANSITION: % at event % is not legal for version % in %',
      NEW.type, NEW.seq, left(version, 64), coalesce(state, 'no state') USING ERRCODE = 'AS006',
      HINT = 'A card in quarantine leaves it by remediation or termination only; content that was judged never changes.';
  END IF;
  -- A verdict is of a recorded version and follows from its decisions; only BLOCK may exceed them, since the fold of the
  -- gates blocks for a decision that is missing. What is approved is what was judged, by an approver, with each finding
  -- acknowledged; what is sealed is what was approved, while that holds; and only another version of the same card takes
  -- a version's place. Whatever is not plainly so, absent or of another type included, is refused.
  due := public.verdict_of(NEW.body -> 'decisions');
  findings := public.finding_names(judged -> 'decisions');
  IF (json_typeof(NEW.body -> 'version_id') = 'string' AND version ~ '^[0-9a-f]{64}$' AND NEW.at >= last_at
      AND coalesce(reason, '') !~ E'[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]'
      AND CASE
        WHEN NEW.type IN ('card_verified/v1', 'card_faulted/v1') THEN
          EXISTS (SELECT FROM public.card_version v WHERE v.tenant = NEW.tenant AND v.version_id = version
                  AND (v.batch, v.instrument, v.channel, v.locale, v.content_digest)
                    = (NEW.body ->> 'batch', NEW.body ->> 'instrument', NEW.body ->> 'channel', NEW.body ->> 'locale',
                       NEW.body ->> 'content_digest'))
          AND (NEW.type = 'card_faulted/v1' OR due IS NOT NULL AND NEW.body ->> 'verdict' IN ('BLOCK', due))
        WHEN NEW.type = 'card_finding_acknowledged/v1' THEN
          NEW.body ->> 'finding' = ANY (findings) AND NEW.body ->> 'finding' <> ALL (known)
        WHEN NEW.type IN ('card_approved/v1', 'card_sealed/v1') THEN
          (NEW.body ->> 'content_digest', NEW.body ->> 'policy_digest') = (judged ->> 'content_digest', judged ->> 'policy_digest')
          AND CASE NEW.type
            WHEN 'card_approved/v1' THEN
              findings <@ known AND NEW.at < public.to_instant(NEW.body ->> 'expires_at')
              AND json_typeof(NEW.body -> 'roles') = 'array'
              AND (NEW.body -> 'roles')::jsonb ?| ARRAY['REVIEWER', 'COMPLIANCE']
            ELSE NEW.at < ends_at AND NEW.at < public.to_instant(NEW.body ->> 'valid_until') END
        WHEN NEW.type = 'card_approval_expired/v1' THEN NEW.at >= ends_at
        WHEN NEW.type IN ('card_rejected/v1', 'card_revoked/v1', 'card_terminated/v1') THEN
          length(reason) BETWEEN 1 AND 2000 AND json_typeof(NEW.body -> 'reason') = 'string'
        WHEN NEW.type IN ('card_remediated/v1', 'card_superseded/v1') THEN
          EXISTS (SELECT FROM public.card_version o JOIN public.card_version n USING (tenant, batch, instrument, channel, locale)
                  WHERE o.tenant = NEW.tenant AND o.version_id = version
                    AND n.version_id = NEW.body ->> 'by' AND n.version_id <> version)
        ELSE true END) IS NOT TRUE THEN
    RAISE EXCEPTION 'ILLEGAL_TRANSITION: % at event % does not fit version %', NEW.type, NEW.seq, left(version, 64)
      USING ERRCODE = 'AS006';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "ledger_transition" BEFORE INSERT ON "ledger_event" FOR EACH ROW
  WHEN (starts_with(NEW.type, 'card_') OR NEW.type IN ('batch_planned/v1', 'step_recorded/v1')) EXECUTE FUNCTION check_card_transition();
ALTER TABLE "ledger_event" ENABLE ALWAYS TRIGGER "ledger_transition";
