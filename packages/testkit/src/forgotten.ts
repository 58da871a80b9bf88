import { kindTables, schema } from '@crm/db'
import { getTableName } from 'drizzle-orm'

/** The tables whose records the ledger counts, with the kind of a row `r` as JSON. */
const counted = [
  ...Object.entries(kindTables).map(([entity, table]) => [getTableName(table), `'${entity}'`] as const),
  [getTableName(schema.customRecords), `upper(r ->> 'entity_key')`] as const,
]

/** Makes the triggers of a table whose function looks at all rows of a statement, and that function with it. */
function watching(table: string, name: string, looks: (operation: Operation) => string): string {
  return operations
    .filter((operation) => looks(operation) !== '')
    .map((operation) => {
      const own = `${name}_${table}_${operation.toLowerCase()}`
      const sides = [
        ...(operation === 'INSERT' ? [] : ['OLD TABLE AS old_rows']),
        ...(operation === 'DELETE' ? [] : ['NEW TABLE AS new_rows']),
      ]
      return `
        CREATE FUNCTION ${own}() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE one record; BEGIN
          -- What functions of the database write, they count themselves.
          IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
          ${looks(operation)}
          RETURN NULL;
        END $$;
        CREATE TRIGGER zz_${own} AFTER ${operation} ON ${table} REFERENCING ${sides.join(' ')} FOR EACH STATEMENT EXECUTE FUNCTION ${own}();`
    })
    .join('')
}

type Operation = 'INSERT' | 'UPDATE' | 'DELETE'
const operations: readonly Operation[] = ['INSERT', 'UPDATE', 'DELETE']

const refuses = (what: string): string =>
  `IF is_deployable(TG_RELID) THEN RAISE EXCEPTION 'This statement forgets ${what}: %', current_query(); END IF;`

/** Adds the rows of the ledger for what the owner wrote. */
const ledger = counted.map(([table, kind]) =>
  watching(table, 'count', (operation) => {
    const side = (rows: string, sign: string) =>
      `SELECT to_jsonb(t) AS r, CASE WHEN t.deleted_at IS NULL THEN ${sign}1 ELSE 0 END AS n FROM ${rows} t`
    const sides = [
      ...(operation === 'INSERT' ? [] : [side('old_rows', '-')]),
      ...(operation === 'DELETE' ? [] : [side('new_rows', '')]),
    ]
    return `
      IF position('record_counts' IN current_query()) > 0 THEN RETURN NULL; END IF;
      ${refuses('the ledger of counts')}
      INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
      SELECT (r ->> 'workspace_id')::uuid, ${kind}, (r ->> 'owner_id')::uuid, coalesce(r ->> 'owner_id', r ->> 'created_by_id')::uuid,
        (r ->> 'department_id')::uuid, (r ->> 'pipeline_id')::uuid, (r ->> 'stage_id')::uuid, r ->> 'status', sum(n)
      FROM (${sides.join(' UNION ALL ')}) AS sides GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;`
  }),
)

/** Counts the follow-ups to which the owner's statement leads. The query returns the workspace, and what `counts` needs. */
const follows = (led: string, counts: string): string => `
  IF position('follow_ups' IN current_query()) > 0 THEN RETURN NULL; END IF;
  FOR one IN ${led} LOOP
    ${refuses('to count follow-ups')}
    PERFORM ${counts};
  END LOOP;`

const moved = (columns: readonly string[]): string =>
  `FROM new_rows n JOIN old_rows o ON o.workspace_id = n.workspace_id AND o.id = n.id
   WHERE (${columns.map((name) => `o.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `n.${name}`).join(', ')})`

const origin = (table: string, kind: string, columns: readonly string[]): string =>
  watching(table, 'follow', (operation) =>
    operation === 'UPDATE'
      ? follows(
          `SELECT n.workspace_id AS place, array_agg(n.id) AS ids ${moved(columns)} GROUP BY 1`,
          `crm_count_follow_ups_by(one.place, '${kind}', one.ids)`,
        )
      : '',
  )

const ofCompany = (table: string): string =>
  watching(table, 'follow', (operation) =>
    operation === 'UPDATE'
      ? follows(
          `SELECT n.workspace_id AS place, array_remove(array_agg(o.company_id) || array_agg(n.company_id), NULL) AS ids
           ${moved(['company_id', 'deleted_at'])} AND o.last_activity_at IS NOT NULL GROUP BY 1`,
          `crm_count_follow_ups(one.place, array_fill('COMPANY'::text, ARRAY[cardinality(one.ids)]), one.ids)`,
        )
      : '',
  )

const ofLinks = watching('record_links', 'follow', (operation) =>
  operation === 'UPDATE'
    ? ''
    : follows(
        `SELECT workspace_id AS place, array_agg(entity_type) AS kinds, array_agg(entity_id) AS ids
         FROM ${operation === 'INSERT' ? 'new_rows' : 'old_rows'} GROUP BY 1`,
        'crm_count_follow_ups(one.place, one.kinds, one.ids)',
      ),
)

/**
 * Lets the databases of tests refuse statements of deployables that forget what goes with a write, so that a test finds them:
 *
 * - the rows of the ledger of counts (docs/decisions/totals.md);
 * - the count of follow-ups behind it (docs/decisions/follow-ups.md);
 * - the end of a twin that gets another name (docs/decisions/texts.md).
 *
 * The owner's statements, with which tests make what they need, pass, and what they forget is done for them.
 */
export const refuseForgotten = `
  CREATE FUNCTION is_deployable(place oid) RETURNS boolean LANGUAGE sql AS
    'SELECT NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = place), ''MEMBER'')';

  ${ledger.join('')}
  ${origin('tasks', 'TASK', ['status', 'due_at', 'deleted_at'])}
  ${origin('activities', 'ACTIVITY', ['happened_at', 'deleted_at'])}
  ${ofCompany('contacts')}
  ${ofCompany('deals')}
  ${ofLinks}

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
