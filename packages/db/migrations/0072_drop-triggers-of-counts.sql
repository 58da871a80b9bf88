-- contract
-- Each statement counts what it writes (docs/decisions/totals.md).
DO $$
DECLARE
  counting record;
  functions oid[] := ARRAY(SELECT DISTINCT tgfoid FROM pg_trigger WHERE tgname LIKE '%\_counted\_insert');
BEGIN
  FOR counting IN SELECT tgname AS name, tgrelid::regclass AS place FROM pg_trigger WHERE tgfoid = ANY (functions) LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', counting.name, counting.place);
  END LOOP;
  FOR counting IN SELECT id::regprocedure AS name FROM unnest(functions) AS one (id) LOOP
    EXECUTE format('DROP FUNCTION %s', counting.name);
  END LOOP;
END $$;
--> statement-breakpoint
DROP PROCEDURE crm_keep_counts(text, text, text, text, text);
