import type { ComputedColumns, Executor } from '@crm/db'
import { and, getTableName, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CrmContext } from '../platform/context.ts'
import { momentOf, type Moment } from '../records/moment.ts'
import { atLeast, atMost, whether, type Filter, type OwnedTable } from '../records/owned/kind.ts'

/** A table of records on which tasks and activities hang (docs/decisions/follow-ups.md). */
type FollowedUpTable = OwnedTable & {
  readonly openTaskCount: PgColumn
  readonly nextTaskAt: PgColumn
  readonly lastActivityAt: PgColumn
}

/** One of leads or deals. */
type StagedTable = FollowedUpTable & { readonly stageChangedAt: PgColumn; readonly stageId: PgColumn }

const ofTasks = { module: 'PROJECTS' } as const

/** The filters of records that are followed up, by parameter. */
export function followUpConditions(table: FollowedUpTable): Readonly<Record<string, Filter>> {
  const { createdAt, lastActivityAt, nextTaskAt } = table
  // Says what the index of open tasks has, which the time alone does not tell.
  const hasOpenTask = sql`${table.openTaskCount} > 0`
  const amongOpen = ({ condition }: Filter): Filter => ({
    condition: (value: never, moment) => and(hasOpenTask, condition(value, moment)) as SQL,
    ...ofTasks,
  })
  return {
    lastActivityFrom: atLeast(lastActivityAt),
    lastActivityTo: atMost(lastActivityAt),
    lastActivity: { condition: () => sql`${lastActivityAt} IS NULL` },
    inactiveSince: {
      condition: (since: Date) => sql`coalesce(${lastActivityAt}, ${createdAt}) < ${since.toISOString()}`,
      // Few records have a last activity from before they were made. Without them the newest that can match is known.
      parts: (since: Date) => [
        lt(createdAt, since.toISOString()),
        and(gte(createdAt, since.toISOString()), lt(lastActivityAt, createdAt)) as SQL,
      ],
    },
    hasOpenTask: { ...whether(() => hasOpenTask), ...ofTasks },
    hasOverdueTask: { ...whether(({ at }) => and(hasOpenTask, lt(nextTaskAt, at)) as SQL), passes: true, ...ofTasks },
    nextTaskFrom: amongOpen(atLeast(nextTaskAt)),
    nextTaskTo: amongOpen(atMost(nextTaskAt)),
  }
}

/** The filters of records that stand in stages. */
export function stageConditions(table: StagedTable): Readonly<Record<string, Filter>> {
  return {
    stageChangedFrom: atLeast(table.stageChangedAt),
    stageChangedTo: atMost(table.stageChangedAt),
    isRotting: { ...whether(({ at }) => isRotting(table, at)), passes: true },
  }
}

/** By what lists of such records can be sorted. */
export function followUpOrders({ lastActivityAt, nextTaskAt }: FollowedUpTable) {
  return { lastActivityAt, nextTaskAt }
}

const whileOn = ({ modulesOff }: Moment, value: SQL | PgColumn, type: string): SQL =>
  modulesOff.has(ofTasks.module) ? sql.raw(`NULL::${type}`) : sql`${value}`

/** What summaries compute with, at a moment. */
export function followUpValues({ openTaskCount, nextTaskAt }: FollowedUpTable) {
  return {
    openTaskCount: (moment: Moment) => whileOn(moment, openTaskCount, 'int'),
    nextTaskAt: (moment: Moment) => whileOn(moment, nextTaskAt, 'timestamptz'),
    hasOverdueTask: (moment: Moment) => whileOn(moment, sql`coalesce(${nextTaskAt} < ${moment.at}, false)`, 'boolean'),
  }
}

/** The same of when records were left alone for too long. */
export function rottingValues(table: StagedTable) {
  return {
    rottingAt: () => sql.raw(rottingAtOf(table)),
    isRotting: ({ at }: Moment) => sql`coalesce(${isRotting(table, at)}, false)`,
  }
}

const isRotting = (table: StagedTable, at: string): SQL => sql`${sql.raw(rottingAtOf(table))} < ${at}`

/** When a record will have been left alone for too long in its stage; null in a stage that is closed or has no such time. */
function rottingAtOf(table: StagedTable): string {
  const name = `"${getTableName(table)}"`
  return `(SELECT greatest(${name}.stage_changed_at, ${name}.last_activity_at) + s.rotting_days * interval '24 hours'
    FROM stages s WHERE s.workspace_id = ${name}.workspace_id AND s.id = ${name}.stage_id AND s.type = 'OPEN')`
}

/** What is read of a record beside its columns. */
export interface FollowedUp {
  readonly hasOverdueTask: boolean
}

/** The same of a record in a stage. */
export interface Staged extends FollowedUp {
  readonly rottingAt: string | null
  readonly isRotting: boolean
}

/** How that is computed; whoever asks gets it as it is at their moment. */
export function followedUp(table: FollowedUpTable): ComputedColumns<FollowedUp> {
  return { expressions: { hasOverdueTask: `coalesce("${getTableName(table)}".next_task_at < now(), false)` } }
}

/** The same of records in stages. */
export function staged(table: StagedTable): ComputedColumns<Staged> {
  const rottingAt = rottingAtOf(table)
  const { expressions } = followedUp(table)
  return { expressions: { ...expressions, rottingAt, isRotting: `coalesce(${rottingAt} < now(), false)` } }
}

interface FollowedUpRow {
  readonly openTaskCount: number | null
  readonly nextTaskAt: string | null
}

type Unsaid = { readonly [Key in 'openTaskCount' | 'nextTaskAt' | 'hasOverdueTask']: null }
const unsaid: Unsaid = { openTaskCount: null, nextTaskAt: null, hasOverdueTask: null }

/** Shows records as they are followed up now: while tasks are switched off nothing is said of them. */
export async function showFollowedUp<Row extends FollowedUpRow>(
  _db: Executor,
  context: CrmContext,
  rows: readonly Row[],
): Promise<(Omit<Row, keyof Unsaid> & FollowUps)[]> {
  const moment = momentOf(context)
  return rows.map((row) => Object.assign(row, followUpsAt(row, moment)))
}

/** The same of records in stages. */
export async function showStaged<Row extends FollowedUpRow & Pick<Staged, 'rottingAt'>>(
  db: Executor,
  context: CrmContext,
  rows: readonly Row[],
): Promise<(Omit<Row, keyof Unsaid> & FollowUps & Pick<Staged, 'isRotting'>)[]> {
  const shown = await showFollowedUp(db, context, rows)
  return shown.map((row, at) => {
    const rottingAt = rows[at]?.rottingAt ?? null
    return Object.assign(row, { isRotting: rottingAt !== null && rottingAt < context.at })
  })
}

interface FollowUps extends FollowedUpRow {
  readonly hasOverdueTask: boolean | null
}

function followUpsAt({ openTaskCount, nextTaskAt }: FollowedUpRow, { at, modulesOff }: Moment): FollowUps {
  if (modulesOff.has(ofTasks.module)) return unsaid
  return { openTaskCount, nextTaskAt, hasOverdueTask: nextTaskAt !== null && nextTaskAt < at }
}
