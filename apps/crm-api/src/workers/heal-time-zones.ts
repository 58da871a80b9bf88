import {
  clientOf,
  inPart,
  olderProcesses,
  readMigrations,
  schema,
  type Backfill,
  type Part,
  type Transaction,
} from '@crm/db'
import { isTimeZone, timeZoneFor } from '@crm/scheduling'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

const { bookingLinks, bookings, employees, workspaces } = schema

/** The migration that came with the version which no longer takes names that only some readers know. */
const strictSince = /_add_work_failures$/

/** A column with names of time zones. */
interface ZoneColumn {
  readonly table: PgTable
  readonly workspaceId: PgColumn
  readonly column: PgColumn
  /** What a name becomes that stood for no zone: that of the workspace, or null where that means the same. */
  readonly otherwise: SQL
}

const ofWorkspace = (workspaceId: PgColumn): SQL =>
  sql`(SELECT place.timezone FROM workspaces place WHERE place.id = ${workspaceId})`

/** The workspace comes first: the others take its zone. */
const columns: readonly ZoneColumn[] = [
  { table: workspaces, workspaceId: workspaces.id, column: workspaces.timezone, otherwise: sql`'UTC'` },
  { table: employees, workspaceId: employees.workspaceId, column: employees.timezone, otherwise: sql`NULL` },
  {
    table: bookingLinks,
    workspaceId: bookingLinks.workspaceId,
    column: bookingLinks.timezone,
    otherwise: ofWorkspace(bookingLinks.workspaceId),
  },
  {
    table: bookings,
    workspaceId: bookings.workspaceId,
    column: bookings.inviteeTimezone,
    otherwise: ofWorkspace(bookings.workspaceId),
  },
]

/** Replaces names of time zones that not every reader takes by the zones that they stood for. It waits while a version runs that takes them. */
export const healTimeZones: Backfill = {
  name: 'heal-time-zones',
  waits: async (tx) => {
    const since = (await readMigrations()).find(({ tag }) => strictSince.test(tag))?.when ?? 0
    return (await olderProcesses(clientOf(tx), since)).length > 0
  },
  step: async (tx, limit, part) => {
    let healed = 0
    for (const each of columns) if (healed < limit) healed += await healColumn(tx, each, limit - healed, part)
    return healed
  },
}

async function healColumn(
  tx: Transaction,
  { table, workspaceId, column, otherwise }: ZoneColumn,
  limit: number,
  part: Part,
): Promise<number> {
  const used = await tx
    .selectDistinct({ place: sql<string>`${workspaceId}`, name: sql<string>`${column}` })
    .from(table)
    .where(and(inPart(workspaceId, part), sql`${column} IS NOT NULL`))
  let healed = 0
  for (const { place, name } of used) {
    if (isTimeZone(name) || healed >= limit) continue
    const zone = timeZoneFor(name)
    const isHere = eq(workspaceId, place)
    const some = sql`SELECT id FROM ${table} WHERE ${and(isHere, eq(column, name))} LIMIT ${limit - healed}`
    const { rowCount } = await tx.execute(
      sql`UPDATE ${table} SET ${sql.identifier(column.name)} = ${zone ?? otherwise} WHERE ${isHere} AND ${table}.id = ANY (ARRAY(${some}))`,
    )
    healed += rowCount ?? 0
  }
  return healed
}
