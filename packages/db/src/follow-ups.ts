import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { given, run, statement } from './statement.ts'
import type { Executor } from './transaction.ts'

/** A table whose writes change how other records are followed up (docs/decisions/follow-ups.md). */
interface Followed {
  /** What the rows are, where they lead to the records on which they hang. */
  readonly origin?: 'TASK' | 'ACTIVITY'
  /** The columns that such a change changes; undefined where it comes or goes with a row. */
  readonly columns?: readonly string[]
  /** What a written row leads to, in SQL over `old` and `new`: the workspace, a kind and ids of it. Null where it leads to nothing. */
  readonly leadsTo: string
}

const changed = (columns: readonly string[]): string =>
  `new.id = old.id AND (${columns.map((name) => `old.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `new.${name}`).join(', ')})`

/** A task or an activity leads to the records on which it hangs. */
function hanging(origin: 'TASK' | 'ACTIVITY', columns: readonly string[]): Followed {
  const leadsTo = `CASE WHEN ${changed(columns)} THEN ARRAY[new.workspace_id::text, '${origin}', new.id::text] END`
  return { origin, columns, leadsTo }
}

const partColumns = ['company_id', 'deleted_at']

/** What happens with the people and in the deals of a company happens with the company. */
const partOfCompany: Followed = {
  columns: partColumns,
  leadsTo: `CASE WHEN old.last_activity_at IS NOT NULL AND ${changed(partColumns)}
    THEN array_remove(ARRAY[new.workspace_id::text, 'COMPANY', old.company_id::text, new.company_id::text], NULL) END`,
}

/** By the name of the table. Bounded: those in the literal. */
const followedTables: ReadonlyMap<string, Followed> = new Map(
  Object.entries({
    record_links: {
      leadsTo: `ARRAY[coalesce(new.workspace_id, old.workspace_id)::text, coalesce(new.entity_type, old.entity_type), coalesce(new.entity_id, old.entity_id)::text]`,
    },
    tasks: hanging('TASK', ['status', 'due_at', 'deleted_at']),
    activities: hanging('ACTIVITY', ['happened_at', 'deleted_at']),
    contacts: partOfCompany,
    deals: partOfCompany,
  }),
)

function followedBy(table: PgTable | string): Followed | undefined {
  return followedTables.get(typeof table === 'string' ? table : getTableName(table))
}

/** The name under which a write returns what it leads to. The triggers of the version before leave a statement alone that has it. */
const mark = 'follow_ups'

/**
 * Returns what a write of a table has to return for `countFollowUps`; undefined where it leads to nothing.
 * @param columns the columns that it changes; all of them by default
 */
export function followUpsOf(table: PgTable | string, columns?: readonly string[]): SQL | undefined {
  const followed = followedBy(table)
  if (!followed || (columns && followed.columns?.some((name) => columns.includes(name)) === false)) return undefined
  return sql.raw(`${followed.leadsTo} AS ${mark}`)
}

/** The name of that, for a query over what a write returns. */
export const followUps = sql.raw(mark)

const marked = sql.raw('/* record_counts follow_ups */')
const workspaceId = sql`${given('workspaceId')}::uuid`
const ofRecords = statement(
  sql`SELECT crm_count_follow_ups(${workspaceId}, ${given('kinds')}::text[], ${given('ids')}::uuid[]) ${marked}`,
)
const byOrigins = statement(
  sql`SELECT crm_count_follow_ups_by(${workspaceId}, ${given('origin')}, ${given('ids')}::uuid[]) ${marked}`,
)

/** What a written row leads to. */
type Lead = readonly [workspaceId: string, kind: string, ...ids: string[]]

/**
 * Counts anew how the records are followed up to which written rows of a table lead, in the transaction of the write, and takes from the rows what
 * they said about it.
 */
export async function countFollowUps(
  tx: Executor,
  table: PgTable | string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const leads = rows.flatMap((row) => {
    const lead = row[mark] as Lead | null | undefined
    delete row[mark]
    return lead ? [lead] : []
  })
  if (leads.length > 0 && '$client' in tx) throw new Error('Follow-ups are counted in the transaction of the write')
  const origin = followedBy(table)?.origin
  for (const [workspaceId, own] of Map.groupBy(leads, ([workspace]) => workspace)) {
    const records = own.flatMap(([, kind, ...ids]) => ids.map((id) => ({ kind, id })))
    const ids = records.map(({ id }) => id)
    if (origin) await run(tx, byOrigins, { workspaceId, origin, ids })
    else await run(tx, ofRecords, { workspaceId, kinds: records.map(({ kind }) => kind), ids })
  }
}
