-- PostgreSQL does not use the statistics of a partial index in a join, and took thousands of leads for one address.
CREATE STATISTICS IF NOT EXISTS leads_email_spread ON (lower(email COLLATE "C")), workspace_id FROM leads;
--> statement-breakpoint
ANALYZE leads;
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
