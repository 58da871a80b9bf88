-- PostgreSQL does not use the statistics of a partial index in a join, and took thousands of leads for one address.
CREATE STATISTICS IF NOT EXISTS leads_email_spread ON (lower(email COLLATE "C")), workspace_id FROM leads;
--> statement-breakpoint
-- A person, a department and a stage belong to one workspace. Otherwise PostgreSQL takes the records of one person in a small workspace for
-- fewer the larger its neighbours are, and puts all of them in order instead of reading the first ones from an index.
CREATE STATISTICS IF NOT EXISTS leads_places (dependencies) ON workspace_id, owner_id, department_id, stage_id FROM leads;
--> statement-breakpoint
CREATE STATISTICS IF NOT EXISTS deals_places (dependencies) ON workspace_id, owner_id, department_id, stage_id FROM deals;
--> statement-breakpoint
CREATE STATISTICS IF NOT EXISTS contacts_places (dependencies) ON workspace_id, owner_id, department_id FROM contacts;
--> statement-breakpoint
CREATE STATISTICS IF NOT EXISTS companies_places (dependencies) ON workspace_id, owner_id, department_id FROM companies;
--> statement-breakpoint
CREATE STATISTICS IF NOT EXISTS tasks_places (dependencies) ON workspace_id, owner_id, department_id, assignee_id FROM tasks;
--> statement-breakpoint
ANALYZE leads, deals, contacts, companies, tasks;
--> statement-breakpoint
-- A fifth of a million rows may change by default before anything is tidied. Counts by an index alone and good plans need it sooner.
DO $$
DECLARE table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY['leads', 'contacts', 'companies', 'deals', 'tasks', 'timeline'] LOOP
    EXECUTE format(
      'ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)',
      table_name
    );
  END LOOP;
END $$;
