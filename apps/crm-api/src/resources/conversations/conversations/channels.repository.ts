import type { ChannelInput, ChannelPatch } from '@crm/contract'
import {
  endingTwin,
  isAnyOf,
  newId,
  schema,
  type Executor,
  type Page,
  type Scope,
  type Transaction,
  inNameOrder,
} from '@crm/db'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import { searchCondition } from '../../../records/search-terms.ts'
import { shownColumns } from '../../../records/shown-columns.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { channels } = schema
const columnsIn = (workspaceId: string) => ({
  ...shownColumns(channels, 'channels'),
  conversations: sql<number>`(SELECT count(*)::int FROM conversations c WHERE c.workspace_id = ${workspaceId} AND c.channel_id = channels.id)`,
})
const uniqueFields = { channels_name: 'name' }

/** A channel as the console shows it. */
export type ChannelRow = Omit<typeof channels.$inferSelect, 'workspaceId' | 'searchText' | 'isTwin'> & {
  readonly conversations: number
}

export interface ChannelFilter {
  readonly search?: string
  readonly ids?: readonly string[]
}

/** Returns a page of channels by name, and the number of matches. */
export async function listChannels(
  db: Executor,
  scope: Scope,
  { search, ids }: ChannelFilter,
  page: { readonly limit: number; readonly offset: number; readonly locale: string },
): Promise<Page<ChannelRow>> {
  const where = and(
    eq(channels.workspaceId, scope.workspaceId),
    searchCondition(search, channels.searchText),
    ids && isAnyOf(channels.id, ids),
  )
  const [total] = await db.select({ n: count() }).from(channels).where(where)
  const items = await db
    .select(columnsIn(scope.workspaceId))
    .from(channels)
    .where(where)
    .orderBy(inNameOrder(channels.name, page.locale), asc(channels.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one channel. */
export async function findChannel(db: Executor, scope: Scope, id: string): Promise<ChannelRow | undefined> {
  const [row] = await db.select(columnsIn(scope.workspaceId)).from(channels).where(isChannel(scope, id))
  return row
}

/** Writes a new channel and returns its id; a name that another channel has is NAME_TAKEN. */
export async function insertChannel(tx: Transaction, scope: Scope, input: ChannelInput, at: string): Promise<string> {
  const id = newId()
  const values = {
    ...input,
    workspaceId: scope.workspaceId,
    id,
    createdById: scope.employeeId,
    createdAt: at,
    updatedAt: at,
  }
  await withUniqueFields(uniqueFields, () => tx.insert(channels).values(values))
  return id
}

/** Changes a channel; a name that another channel has is NAME_TAKEN. */
export async function updateChannel(
  tx: Transaction,
  scope: Scope,
  id: string,
  patch: ChannelPatch,
  at: string,
): Promise<void> {
  await withUniqueFields(uniqueFields, () =>
    tx
      .update(channels)
      .set(endingTwin(channels, { ...patch, updatedAt: at }))
      .where(isChannel(scope, id)),
  )
}

/** Deletes a channel with all its messages. */
export async function deleteChannel(tx: Transaction, scope: Scope, id: string): Promise<void> {
  await tx.delete(channels).where(isChannel(scope, id))
}

function isChannel({ workspaceId }: Scope, id: string): SQL {
  return and(eq(channels.workspaceId, workspaceId), eq(channels.id, id)) as SQL
}
