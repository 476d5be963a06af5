-- What an event is about, as columns: row-level security keeps an index on the expression (body ->> …) from being used,
-- since that function could tell of other tenants' rows; equality of text cannot. Both follow from the body alone.
ALTER TABLE "ledger_event"
  ADD COLUMN "version_id" TEXT GENERATED ALWAYS AS ("body" ->> 'version_id') STORED,
  ADD COLUMN "frozen"     TEXT GENERATED ALWAYS AS ("body" ->> 'frozen') STORED;
CREATE INDEX "ledger_event_tenant_version_id_seq_idx" ON "ledger_event" ("tenant", "version_id", "seq");
CREATE INDEX "ledger_event_tenant_frozen_seq_idx" ON "ledger_event" ("tenant", "frozen", "seq");

-- The state machine's second path: what pipeline/lifecycle/card-state.ts allows is written here once more, from the
-- design and not from that file. NULL before the first event; '=' is the verdict that the version was judged with.
CREATE FUNCTION "next_card_state"(state text, event_type text, verdict text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
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

-- Fires after ledger_chain (triggers fire by name): writers are in line by then, each sees all that was before it.
CREATE FUNCTION "check_card_transition"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  version text := NEW.body ->> 'version_id';
  origin  text := NEW.body ->> 'frozen';
  judged  json;
  known   text[] := '{}';
  ends_at timestamptz;
  past    record;
  state   text;
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
  FOR past IN SELECT e.type, e.body FROM public.ledger_event e
              WHERE e.tenant = NEW.tenant AND e.version_id = version AND e.type LIKE 'card\_%' ORDER BY e.seq LOOP
    judged := coalesce(judged, past.body);
    CASE past.type
      WHEN 'card_finding_acknowledged/v1' THEN known := known || (past.body ->> 'finding');
      WHEN 'card_approved/v1' THEN ends_at := past.body ->> 'expires_at';
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
  -- What is approved is what was judged, with each finding acknowledged; what is sealed is what was approved, while that
  -- holds; and only another version of the same card takes a version's place.
  IF NEW.type IN ('card_approved/v1', 'card_sealed/v1')
     AND (NEW.body ->> 'content_digest', NEW.body ->> 'policy_digest')
         IS DISTINCT FROM (judged ->> 'content_digest', judged ->> 'policy_digest')
     OR NEW.type = 'card_approved/v1' AND EXISTS (
         SELECT FROM json_array_elements(judged -> 'decisions') d, json_array_elements(d -> 'findings') f
         WHERE concat(d ->> 'gate', '/', f ->> 'code', '/', f ->> 'subject') <> ALL (known))
     OR NEW.type = 'card_sealed/v1' AND NEW.at >= ends_at
     OR NEW.type = 'card_approval_expired/v1' AND NEW.at < ends_at
     OR NEW.type IN ('card_remediated/v1', 'card_superseded/v1') AND NOT EXISTS (
         SELECT FROM public.card_version o JOIN public.card_version n USING (tenant, batch, instrument, channel, locale)
         WHERE o.tenant = NEW.tenant AND o.version_id = version
           AND n.version_id = NEW.body ->> 'by' AND n.version_id <> version)
     OR NEW.type = 'card_verified/v1' AND NEW.body ->> 'verdict' NOT IN ('PASS', 'REVIEW', 'BLOCK') THEN
    RAISE EXCEPTION 'ILLEGAL_TRANSITION: % at event % does not fit version %', NEW.type, NEW.seq, left(version, 64)
      USING ERRCODE = 'AS006';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "ledger_transition" BEFORE INSERT ON "ledger_event" FOR EACH ROW
  WHEN (NEW.type LIKE 'card\_%' OR NEW.type IN ('batch_planned/v1', 'step_recorded/v1')) EXECUTE FUNCTION check_card_transition();
ALTER TABLE "ledger_event" ENABLE ALWAYS TRIGGER "ledger_transition";
