import type { AgentLimits, ViaType, WritesMode } from '@crm/permissions'
import { sql, type SQL } from 'drizzle-orm'
import { boolean, customType, jsonb, text, uuid, type PgColumn } from 'drizzle-orm/pg-core'
import { newId } from './new-id.ts'

/**
 * Turns PostgreSQL's text of a UTC timestamp into the API's form: `2026-01-31T08:00:00.000Z`.
 * @throws Error for a text that is not in the form of a session in UTC: it would become another time
 */
export function toInstant(value: string): string {
  if (!value.endsWith('+00') || value[4] !== '-' || value[10] !== ' ')
    throw new Error(`PostgreSQL wrote a time in another form than that of UTC: ${value}`)
  const fraction = value.slice(19, value.length - 3)
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.slice(1).padEnd(3, '0').slice(0, 3)}Z`
}

/** A moment with millisecond precision, as an ISO 8601 string on both sides; connections run in UTC. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz(3)',
  fromDriver: toInstant,
})

/** Raw bytes, such as a SHA-256 digest. */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** The workspace that a row belongs to: the first column of every key. */
export const workspaceId = () => uuid('workspace_id').notNull()

/** The id of a row. */
export const rowId = () => uuid('id').notNull().$defaultFn(newId)

export const createdAt = () =>
  instant('created_at')
    .notNull()
    .default(sql`now()`)
export const updatedAt = () =>
  instant('updated_at')
    .notNull()
    .default(sql`now()`)

/** The way by which somebody did something; null for entries from before it was kept. */
export const viaColumns = () => ({
  viaType: text('via_type').$type<ViaType>(),
  viaId: uuid('via_id'),
  viaName: text('via_name'),
})

/** How a credential of an agent is held: what it may do by itself, how much, and whether a person confirms what is destructive. */
export const agentControl = () => ({
  writes: text('writes').$type<WritesMode>().notNull().default('DIRECT'),
  limits: jsonb('limits').$type<Partial<AgentLimits>>().notNull().default({}),
  confirm: boolean('confirm').notNull().default(false),
})

/** The creation and last change of a record: time and author. */
export const stamps = () => ({
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  createdById: uuid('created_by_id'),
})

/**
 * Whether an older row has the same name once both are folded. Names were compared with their accents before, so both stay as they are; the
 * index of names leaves the newer one out until it gets another name.
 */
export const isTwin = () => boolean('is_twin').notNull().default(false)

/** A column of an index that holds names in their order (`inNameOrder`). */
export const nameOrder = (name: PgColumn) => sql`${name} COLLATE "crm_names"`

/** The searchable text of a row. A blank precedes its first word like every other word, so a search can find where words begin. */
export const searchText = (of: SQL) => text('search_text').generatedAlwaysAs(sql`crm_searchable(' ' || ${of})`)
