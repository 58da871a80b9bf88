import { schema, sqlState, type Database, type Executor } from '@crm/db'
import { and, eq, lte, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

const { workFailures: table } = schema

/** Work of one workspace: a row that is due, or with an empty row the work of the whole workspace. */
export interface WorkKey {
  readonly workspaceId: string
  readonly row: string
}

/** The pause after the first failure; each further one doubles it. */
const firstPauseS = 60
const pauseSMax = 3_600

/**
 * Returns SQL for the condition that a row does not wait because its work failed.
 * @param work the name of the work
 * @param at the moment, ISO 8601
 */
export function isNotPutOff(
  work: string,
  { workspaceId, row }: { readonly workspaceId: SQLWrapper; readonly row: SQLWrapper },
  at: SQL | string,
): SQL {
  return sql`NOT EXISTS (SELECT FROM work_failures AS failed WHERE failed.workspace_id = ${workspaceId} AND failed.work = ${work}
    AND failed.row IN ('', (${row})::text) AND failed.next_try_at > ${at}::timestamptz)`
}

/** Notes a failure; the work is tried again after a pause that grows from a minute to an hour. */
export async function putOff(
  db: Executor,
  work: string,
  { workspaceId, row }: WorkKey,
  { at, error }: { readonly at: string; readonly error: unknown },
): Promise<void> {
  // Seconds, since a distributed database settles a conflict only by what depends on no setting, such as the time zone.
  const pause = (failures: SQL): SQL =>
    sql`to_timestamp(${Date.parse(at) / 1_000}::float8 + least(${firstPauseS} * 2 ^ least(${failures}, 20), ${pauseSMax}))`
  await db
    .insert(table)
    .values({ workspaceId, work, row, failures: 1, since: at, nextTryAt: pause(sql`0`), problem: problemOf(error) })
    .onConflictDoUpdate({
      target: [table.workspaceId, table.work, table.row],
      set: {
        failures: sql`${table.failures} + 1`,
        nextTryAt: pause(sql`${table.failures}`),
        problem: problemOf(error),
      },
    })
}

/** A lost connection, a database that is read-only, full, stopping or broken, and a statement that it cannot know. */
const commonStates = /^(08|25|42|53|57P|58|XX)/

/** Whether an error has a cause that no row can be. */
export function isCommonCause(error: unknown): boolean {
  return commonStates.test(sqlState(error) ?? '')
}

/** What went wrong, without the values that messages may have. */
function problemOf(error: unknown): string {
  const state = sqlState(error)
  if (state !== undefined) return `The database refused a statement (${state})`
  return error instanceof Error ? error.name : 'Error'
}

/** A failure that may be tried again, or waits. */
export interface WorkFailure extends WorkKey {
  /** Whether its pause is over. */
  readonly isDue: boolean
}

/** The most failures that a round knows of; those beyond are found again by their rows. */
const knownMax = 10_000

/** Returns what of some work has failed. */
export async function failuresOf(db: Database, work: string, at: string): Promise<readonly WorkFailure[]> {
  return db
    .select({
      workspaceId: table.workspaceId,
      row: table.row,
      isDue: sql<boolean>`${table.nextTryAt} <= ${at}::timestamptz`,
    })
    .from(table)
    .where(eq(table.work, work))
    .orderBy(table.nextTryAt)
    .limit(knownMax)
}

/** Forgets failures whose pause is over: their work succeeded, or is not due any more. */
export async function forgetFailures(db: Database, work: string, keys: readonly WorkKey[], at: string): Promise<void> {
  for (const { workspaceId, row } of keys)
    await db
      .delete(table)
      .where(
        and(eq(table.workspaceId, workspaceId), eq(table.work, work), eq(table.row, row), lte(table.nextTryAt, at)),
      )
}
