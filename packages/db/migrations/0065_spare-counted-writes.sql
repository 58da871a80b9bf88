-- The triggers of the ledger leave a statement alone that adds its rows to the ledger itself. They count those of the version before, and what the
-- functions of the database write. No table is locked: only the functions are made anew, and with them the one that makes more of their kind.
DO $$
DECLARE
  counting record;
  spares text := 'BEGIN
      IF pg_trigger_depth() = 1 AND position(''record_counts'' IN current_query()) > 0 THEN RETURN NULL; END IF;';
BEGIN
  FOR counting IN SELECT DISTINCT tgfoid AS id FROM pg_trigger WHERE tgname LIKE '%\_counted\_insert' LOOP
    EXECUTE regexp_replace(pg_get_functiondef(counting.id), '\mBEGIN\M', spares);
  END LOOP;
  EXECUTE regexp_replace(pg_get_functiondef('crm_keep_counts'::regproc), '(AS \$body\$\s+)BEGIN\M', '\1' || spares);
END $$;
