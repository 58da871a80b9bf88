import type { ComputedColumns, Executor } from '@crm/db'
import { and, gte, lt, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CrmContext } from '../platform/context.ts'
import { momentOf, type Moment } from '../records/moment.ts'
import { atLeast, atMost, whether, type Filter, type OwnedTable } from '../records/owned/kind.ts'

/** A table of records to which tasks and activities are linked (docs/decisions/follow-ups.md). */
type FollowedUpTable = OwnedTable & {
  readonly openTaskCount: PgColumn
  readonly nextTaskAt: PgColumn
  readonly lastActivityAt: PgColumn
}

/** The table of leads or of deals. */
type StagedTable = FollowedUpTable & { readonly stageChangedAt: PgColumn; readonly stageId: PgColumn }

const ofTasks = { module: 'PROJECTS' } as const

/** The modules of the fields about tasks. */
export const followUpModules = { openTaskCount: ofTasks.module, nextTaskAt: ofTasks.module } as const

/** Returns the filters of records that are followed up, by parameter. */
export function followUpConditions(table: FollowedUpTable): Readonly<Record<string, Filter>> {
  const { createdAt, lastActivityAt, nextTaskAt } = table
  // Repeats the condition of the index of open tasks; the time alone would not select that index.
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
      // Few records have a last activity from before their creation. Without these records the newest possible match is known.
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

/** Returns the filters of records with stages. */
export function stageConditions(table: StagedTable): Readonly<Record<string, Filter>> {
  return {
    stageChangedFrom: atLeast(table.stageChangedAt),
    stageChangedTo: atMost(table.stageChangedAt),
    isRotting: { ...whether((moment) => isRotting(table, moment)), passes: true },
  }
}

const whileOn = ({ modulesOff }: Moment, value: SQL | PgColumn, type: string): SQL =>
  modulesOff.has(ofTasks.module) ? sql.raw(`NULL::${type}`) : sql`${value}`

/** Returns the values that summaries compute with, at a moment. */
export function followUpValues({ openTaskCount, nextTaskAt }: FollowedUpTable) {
  return {
    openTaskCount: (moment: Moment) => whileOn(moment, openTaskCount, 'int'),
    nextTaskAt: (moment: Moment) => whileOn(moment, nextTaskAt, 'timestamptz'),
    hasOverdueTask: (moment: Moment) => whileOn(moment, sql`coalesce(${nextTaskAt} < ${moment.at}, false)`, 'boolean'),
  }
}

/** Returns the values of summaries for the time at which records count as neglected. */
export function rottingValues(table: StagedTable) {
  return {
    rottingAt: ({ workspaceId }: Moment) => rottingAtOf(table, workspaceId),
    isRotting: (moment: Moment) => sql`coalesce(${isRotting(table, moment)}, false)`,
  }
}

/**
 * Most workspaces have no stage in which records rot, and others have few: whether there is one, and which, is read once, so that the time
 * is asked of the records of these stages alone.
 */
const isRotting = (table: StagedTable, { workspaceId, at }: Moment): SQL => {
  const rotting = sql`FROM stages rotting WHERE rotting.workspace_id = ${workspaceId} AND rotting.rotting_days IS NOT NULL AND rotting.type = 'OPEN'`
  return sql`(EXISTS (SELECT ${rotting}) AND ${table.stageId} = ANY (ARRAY(SELECT rotting.id ${rotting})) AND ${rottingAtOf(table, workspaceId)} < ${at})`
}

/** Returns the time from which a record counts as neglected in its stage; null in a closed stage and in a stage without such a time. */
function rottingAtOf(table: StagedTable, workspaceId: string | SQLWrapper): SQL {
  // In a zone the sum would depend on a setting of the session, and a change could not return it where the tables are distributed.
  return sql`(SELECT (greatest(${table.stageChangedAt}, ${table.lastActivityAt}) AT TIME ZONE 'UTC' + s.rotting_days * interval '24 hours') AT TIME ZONE 'UTC'
    FROM stages s WHERE s.workspace_id = ${workspaceId} AND s.id = ${table.stageId} AND s.type = 'OPEN')`
}

/** The computed fields of a record besides its columns. */
export interface FollowedUp {
  readonly hasOverdueTask: boolean
}

/** The computed fields of a record in a stage. */
export interface Staged extends FollowedUp {
  readonly rottingAt: string | null
  readonly isRotting: boolean
}

const now = (): string => new Date().toISOString()
const isBefore = (moment: string | null, at: string): boolean => moment !== null && moment < at

/** The computed columns of such records, as they are when the record is read. */
export const followedUp: ComputedColumns<FollowedUp> = {
  expressions: {},
  derive: (row) => ({ hasOverdueTask: isBefore((row as FollowedUpRow).nextTaskAt, now()) }),
}

/** Returns the computed columns of records in stages. */
export function staged(table: StagedTable): ComputedColumns<Staged> {
  return {
    expressions: { rottingAt: (workspaceId) => rottingAtOf(table, workspaceId) },
    derive: (row) => ({
      ...followedUp.derive?.(row),
      isRotting: isBefore((row as Pick<Staged, 'rottingAt'>).rottingAt, now()),
    }),
  }
}

interface FollowedUpRow {
  readonly openTaskCount: number | null
  readonly nextTaskAt: string | null
}

type Unsaid = { readonly [Key in 'openTaskCount' | 'nextTaskAt' | 'hasOverdueTask']: null }
const unsaid: Unsaid = { openTaskCount: null, nextTaskAt: null, hasOverdueTask: null }

/** Shows records with their present follow-up; the fields are null while tasks are switched off. */
export async function showFollowedUp<Row extends FollowedUpRow>(
  _db: Executor,
  context: CrmContext,
  rows: readonly Row[],
): Promise<(Omit<Row, keyof Unsaid> & FollowUps)[]> {
  const moment = momentOf(context)
  return rows.map((row) => Object.assign(row, followUpsAt(row, moment)))
}

/** Shows records in stages with their present follow-up. */
export async function showStaged<Row extends FollowedUpRow & Pick<Staged, 'rottingAt'>>(
  db: Executor,
  context: CrmContext,
  rows: readonly Row[],
): Promise<(Omit<Row, keyof Unsaid> & FollowUps & Pick<Staged, 'isRotting'>)[]> {
  const shown = await showFollowedUp(db, context, rows)
  return shown.map((row, at) => {
    return Object.assign(row, { isRotting: isBefore(rows[at]?.rottingAt ?? null, context.at) })
  })
}

interface FollowUps extends FollowedUpRow {
  readonly hasOverdueTask: boolean | null
}

function followUpsAt({ openTaskCount, nextTaskAt }: FollowedUpRow, { at, modulesOff }: Moment): FollowUps {
  if (modulesOff.has(ofTasks.module)) return unsaid
  return { openTaskCount, nextTaskAt, hasOverdueTask: isBefore(nextTaskAt, at) }
}
