/**
 * Lets the databases of tests refuse statements of deployables that forget what goes with a write, so that a test finds them:
 *
 * - the rows of the ledger of counts, which a trigger would have to add (docs/decisions/totals.md);
 * - the end of a twin that gets another name (docs/decisions/texts.md).
 *
 * The owner's statements, with which tests make what they need, pass.
 */
export const refuseForgotten = `
  CREATE FUNCTION is_deployable(place oid) RETURNS boolean LANGUAGE sql AS
    'SELECT NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = place), ''MEMBER'')';

  DO $$
  DECLARE
    counting record;
    refuses text := 'BEGIN
      IF pg_trigger_depth() = 1 AND position(''record_counts'' IN current_query()) = 0 AND is_deployable(TG_RELID)
      THEN RAISE EXCEPTION ''This statement forgets the ledger of counts: %'', current_query(); END IF;';
  BEGIN
    FOR counting IN SELECT DISTINCT tgfoid AS id FROM pg_trigger WHERE tgname LIKE '%\\_counted\\_insert' LOOP
      EXECUTE regexp_replace(pg_get_functiondef(counting.id), '\\mBEGIN\\M', refuses);
    END LOOP;
  END $$;

  CREATE FUNCTION refuse_forgotten_twin() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF position('is_twin' IN current_query()) = 0 AND is_deployable(TG_RELID)
    THEN RAISE EXCEPTION 'This statement forgets the end of a twin: %', current_query(); END IF;
    RETURN NEW;
  END $$;

  DO $$ DECLARE named record; BEGIN
    FOR named IN SELECT a.attrelid::regclass AS place, CASE a.attrelid WHEN 'products'::regclass THEN 'sku' ELSE 'name' END AS title
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r' WHERE a.attname = 'is_twin'
    LOOP
      EXECUTE format('CREATE TRIGGER zz_refuse_forgotten_twin BEFORE UPDATE OF %1$I ON %2$s FOR EACH ROW
        WHEN (OLD.%1$I IS DISTINCT FROM NEW.%1$I) EXECUTE FUNCTION refuse_forgotten_twin()', named.title, named.place);
    END LOOP;
  END $$;`
