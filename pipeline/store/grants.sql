-- What the application role may do: read and append, set temporary tables, run the queue. Run by migrate.ts as owner
-- with assay.app_role set; idempotent. Tables come from a list, so that a new table is closed until it is named here.
DO $$
DECLARE
  app text := current_setting('assay.app_role');
  name text;
BEGIN
  EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), app);
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', app);
  FOREACH name IN ARRAY ARRAY['ledger_event', 'source_version', 'step_result', 'card_version',
                             'run_lease', 'run_entry', 'run_document',
                             'expert_revision', 'expert_catalogue', 'client_message', 'interaction_event'] LOOP
    EXECUTE format('REVOKE ALL ON public.%I FROM PUBLIC, %I', name, app);
    EXECUTE format('GRANT SELECT, INSERT ON public.%I TO %I', name, app);
  END LOOP;

  -- The queue holds ids only and is rebuilt from the truth when lost. CREATE: it makes a sequence per queue.
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA bullmq TO %I', app);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO %I', app);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA bullmq TO %I', app);
  FOR name IN
    SELECT c.oid::regclass::text FROM pg_class c
    WHERE c.relnamespace = 'bullmq'::regnamespace AND c.relkind = 'S' AND pg_get_userbyid(c.relowner) = current_user
  LOOP
    EXECUTE format('GRANT USAGE, SELECT, UPDATE ON SEQUENCE %s TO %I', name, app);
  END LOOP;
END $$;
