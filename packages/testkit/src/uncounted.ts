/**
 * Lets the triggers of the ledger refuse a statement of a deployable that they would have to count, so that a test finds whoever forgot
 * `counted` (docs/decisions/totals.md). The owner's statements, with which tests make what they need, are still counted.
 */
export const refuseUncounted = `
  DO $$
  DECLARE
    counting record;
    refuses text := 'BEGIN
      IF pg_trigger_depth() = 1 AND position(''record_counts'' IN current_query()) = 0
        AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), ''MEMBER'')
      THEN RAISE EXCEPTION ''This statement forgets the ledger of counts: %'', current_query(); END IF;';
  BEGIN
    FOR counting IN SELECT DISTINCT tgfoid AS id FROM pg_trigger WHERE tgname LIKE '%\\_counted\\_insert' LOOP
      EXECUTE regexp_replace(pg_get_functiondef(counting.id), '\\mBEGIN\\M', refuses);
    END LOOP;
  END $$`
