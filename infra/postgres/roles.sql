-- One role per deployable, granted only what it works with, so that a hole in the public booking service cannot read
-- an invoice. Run as the owner after every migration; running it again changes nothing. The roles cannot log in until
-- the operator of the installation gives them a password.

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['crm_api', 'crm_booking', 'crm_hooks', 'crm_dispatcher', 'crm_gateway'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', name); END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END LOOP;
END $$;

-- A person waits for the queries of a deployable. Work in the background sets deadlines of its own for its transactions; the numbers are
-- the ones of usualDeadlines (packages/db/src/pool.ts), the settings those of sessionSettings (session.ts). They belong to the roles because a
-- pooler takes no settings with a connection; other settings of the database or the role cost a check, and a pooler one more transaction.
DO $$
DECLARE name text; setting text;
BEGIN
  FOREACH name IN ARRAY ARRAY['crm_api', 'crm_booking', 'crm_hooks', 'crm_dispatcher', 'crm_gateway'] LOOP
    EXECUTE format('ALTER ROLE %I SET statement_timeout = 5000', name);
    EXECUTE format('ALTER ROLE %I SET lock_timeout = 3000', name);
    EXECUTE format('ALTER ROLE %I SET timezone = ''UTC''', name);
    EXECUTE format('ALTER ROLE %I SET datestyle = ''ISO, MDY''', name);
    EXECUTE format('ALTER ROLE %I SET search_path = public', name);
    EXECUTE format('ALTER ROLE %I SET default_transaction_isolation = ''read committed''', name);
    -- What a role is given in one database would count more.
    FOREACH setting IN ARRAY ARRAY['timezone', 'datestyle', 'search_path', 'default_transaction_isolation'] LOOP
      EXECUTE format('ALTER ROLE %I IN DATABASE %I RESET %I', name, current_database(), setting);
    END LOOP;
  END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM crm_api, crm_booking, crm_hooks, crm_dispatcher, crm_gateway;
GRANT USAGE ON SCHEMA public, migrations TO crm_api, crm_booking, crm_hooks, crm_dispatcher, crm_gateway;
GRANT SELECT ON ALL TABLES IN SCHEMA migrations TO crm_api, crm_booking, crm_hooks, crm_dispatcher, crm_gateway;

-- Every deployable looks up its workspace.
GRANT SELECT ON workspaces, workspace_hosts, workspace_modules TO crm_booking, crm_hooks, crm_dispatcher, crm_gateway;
-- Every deployable reads whether anything may be sent.
GRANT SELECT ON installation TO crm_booking, crm_hooks, crm_dispatcher, crm_gateway;
-- Every deployable tells that it runs, and removes what is out of date.
GRANT SELECT, INSERT, UPDATE, DELETE ON processes TO crm_booking, crm_hooks, crm_dispatcher, crm_gateway;
-- Every deployable with periodic work notes what of it failed.
GRANT SELECT, INSERT, UPDATE, DELETE ON work_failures TO crm_booking, crm_dispatcher;

-- The CRM API works with every table except the ones that only the OAuth server uses.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO crm_api;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO crm_api;
REVOKE ALL ON oauth_codes, booking_mails FROM crm_api;
REVOKE INSERT, DELETE ON workspaces, workspace_quotas FROM crm_api;
REVOKE UPDATE, DELETE ON audit_log, data_keys FROM crm_api;
-- Only the tool server asks people, and only their answers let a call pass.
REVOKE INSERT, UPDATE ON confirmations FROM crm_api;
GRANT UPDATE (used_at) ON confirmations TO crm_api;
-- It gives entries their place in the chain, and empties the personal part of entries; a trigger refuses all other changes.
GRANT UPDATE (seq, private_salt, private_hash, prev_hash, hash, actor_name, summary, address, user_agent, changes) ON audit_log TO crm_api;
REVOKE INSERT, UPDATE, DELETE ON installation FROM crm_api;

-- Booking: its own tables, the names and pictures of organizers, and the outbox and notifications.
GRANT SELECT (workspace_id, id, email, first_name, last_name, timezone, status) ON employees TO crm_booking;
-- All addresses of a person, by which a subscribed calendar knows what its owner declined.
GRANT SELECT (workspace_id, employee_id, email) ON identities TO crm_booking;
GRANT SELECT ON employee_pictures TO crm_booking;
GRANT SELECT ON booking_links TO crm_booking;
GRANT SELECT, INSERT, UPDATE ON bookings TO crm_booking;
GRANT SELECT, INSERT, UPDATE, DELETE ON calendar_events, booking_mails TO crm_booking;
GRANT SELECT ON calendar_feeds TO crm_booking;
-- All columns except the address, which is often a secret: booking reads the content that the CRM API has fetched.
GRANT SELECT (workspace_id, id, employee_id, content, revision, read_revision, read_until) ON calendar_subscriptions TO crm_booking;
GRANT UPDATE (read_revision, read_until, problem) ON calendar_subscriptions TO crm_booking;
GRANT INSERT ON outbox, notifications TO crm_booking;

-- The ingress stores runs and hands them on.
GRANT SELECT ON workflows, webhook_triggers TO crm_hooks;
GRANT UPDATE (last_request, last_request_at) ON webhook_triggers TO crm_hooks;
GRANT SELECT, INSERT ON workflow_runs TO crm_hooks;
GRANT SELECT, INSERT ON outbox TO crm_hooks;
GRANT UPDATE (relayed_at, attempts) ON outbox TO crm_hooks;
GRANT INSERT ON refused_calls TO crm_hooks;

-- The dispatcher runs workflows and rules; it reaches records through the CRM API.
GRANT SELECT ON workflows, workflow_versions, webhook_triggers, automation_rules TO crm_dispatcher;
GRANT UPDATE (next_run_at) ON workflows TO crm_dispatcher;
-- It opens the values of the headers that it sends.
GRANT SELECT ON data_keys TO crm_dispatcher;
GRANT UPDATE (failures_in_row, paused_at, is_active) ON automation_rules TO crm_dispatcher;
GRANT SELECT, INSERT, UPDATE ON workflow_runs, workflow_step_runs, rule_runs, deliveries, assignment_turns TO crm_dispatcher;
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO crm_dispatcher;
-- The columns that decide whether the owner of an automation may see a record.
GRANT SELECT (workspace_id, id, email, first_name, last_name, department_id, manager_id, timezone, status, kind, created_at) ON employees TO crm_dispatcher;
GRANT SELECT ON roles, employee_roles, departments TO crm_dispatcher;
GRANT INSERT ON notifications TO crm_dispatcher;
-- It also deletes expired history, of which it sees only the keys and the age.
GRANT SELECT (workspace_id, id, at), DELETE ON refused_calls TO crm_dispatcher;
-- Of the audit log it removes a beginning, and says so in an entry.
GRANT SELECT (workspace_id, id, at, seq, hash), INSERT, DELETE ON audit_log TO crm_dispatcher;
GRANT SELECT ON audit_chains TO crm_dispatcher;
GRANT UPDATE (pruned_seq) ON audit_chains TO crm_dispatcher;
GRANT SELECT (workspace_id, id, created_at), DELETE ON notifications TO crm_dispatcher;
GRANT SELECT (workspace_id, id, occurred_at), DELETE ON timeline TO crm_dispatcher;
GRANT SELECT (workspace_id, id, finished_at), DELETE ON jobs TO crm_dispatcher;
GRANT SELECT (workspace_id, id, expires_at), DELETE ON sessions, oauth_tokens, invitations TO crm_dispatcher;
GRANT SELECT (sso_id) ON sessions TO crm_dispatcher;
GRANT SELECT (workspace_id, session_id, created_at), DELETE ON sso_sessions TO crm_dispatcher;
GRANT SELECT (workspace_id, code_hash, expires_at), DELETE ON oauth_codes TO crm_dispatcher;
GRANT SELECT (workspace_id, employee_id, key, expires_at), DELETE ON idempotency_keys TO crm_dispatcher;
GRANT DELETE ON workflow_runs, workflow_step_runs, rule_runs, deliveries TO crm_dispatcher;

-- The tool server and its OAuth server.
GRANT SELECT, INSERT, UPDATE, DELETE ON oauth_clients, oauth_grants, oauth_codes, oauth_tokens TO crm_gateway;
GRANT SELECT (workspace_id, id, email, first_name, last_name, department_id, manager_id, timezone, status, kind, created_at) ON employees TO crm_gateway;
GRANT SELECT ON roles, employee_roles, departments TO crm_gateway;
GRANT SELECT (workspace_id, id, key, created_at) ON custom_entities TO crm_gateway;
GRANT SELECT ON api_keys, sessions TO crm_gateway;
GRANT UPDATE (last_used_at, expires_at) ON sessions TO crm_gateway;
GRANT UPDATE (last_used_at, last_used_address) ON api_keys TO crm_gateway;
GRANT SELECT, INSERT, UPDATE ON confirmations TO crm_gateway;
GRANT INSERT ON audit_log, outbox TO crm_gateway;
