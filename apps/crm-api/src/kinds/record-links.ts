import { isAnyOf, schema, writeRows, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { and, asc, eq, or, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import type { LinkingEntity } from '../records/link-filters.ts'
import { isVisibleRecord, visibleReferences, type Sight } from './references.ts'

const { recordLinks } = schema

/** A record to which a task or an activity is linked. */
export interface RecordLink {
  readonly entityType: string
  readonly entityId: string
}

/** The task or activity that is linked to records. */
export interface LinkOrigin {
  readonly fromType: LinkingEntity
  readonly fromId: string
}

type LinkContext = Sight & Pick<CrmContext, 'workspace'>

/** Returns records of a kind, each with the links to records that the caller sees. */
export async function withLinks<Row extends { readonly id: string }>(
  db: Executor,
  context: LinkContext,
  fromType: LinkingEntity,
  rows: readonly Row[],
): Promise<(Row & { links: RecordLink[] })[]> {
  const links = await readLinks(
    db,
    context,
    fromType,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, links: links.get(row.id) ?? [] }))
}

/** Returns the links of many tasks or activities at once, as far as the caller sees the linked records. */
async function readLinks(
  db: Executor,
  context: LinkContext,
  fromType: LinkingEntity,
  fromIds: readonly string[],
): Promise<Map<string, RecordLink[]>> {
  if (fromIds.length === 0) return new Map()
  const ofThem = and(
    eq(recordLinks.workspaceId, context.workspace.id),
    eq(recordLinks.fromType, fromType),
    isAnyOf(recordLinks.fromId, fromIds),
  )
  const rows = await selectLinks(db, and(ofThem, visibleReferences(context, recordLinks)))
  return new Map([...Map.groupBy(rows, ({ fromId }) => fromId)].map(([fromId, links]) => [fromId, links.map(toLink)]))
}

/** Returns all links of one task or activity, regardless of sight: for writing, never for showing. */
export async function allLinks(db: Executor, workspaceId: string, origin: LinkOrigin): Promise<RecordLink[]> {
  return (await selectLinks(db, fromOrigin(workspaceId, origin))).map(toLink)
}

/** The change of the links of a task or an activity. */
export interface LinkChange {
  readonly added: readonly RecordLink[]
  readonly removed: readonly RecordLink[]
}

/**
 * Replaces the links that the caller sees; links out of their sight stay. A new link to a record that does not exist and one
 * to a record that the caller may not see are both INVALID_REFERENCE.
 */
export async function replaceLinks(
  tx: Transaction,
  context: LinkContext,
  origin: LinkOrigin,
  wanted: readonly RecordLink[],
): Promise<LinkChange> {
  const workspaceId = context.workspace.id
  const seen = (await readLinks(tx, context, origin.fromType, [origin.fromId])).get(origin.fromId) ?? []
  const added = linksWithout(eachOnce(wanted), seen)
  const removed = linksWithout(seen, eachOnce(wanted))
  for (const { entityType, entityId } of added) {
    if (!(await isVisibleRecord(tx, context, entityType, entityId))) throw invalidReference('links')
  }
  if (removed.length > 0)
    await writeRows(
      tx,
      recordLinks,
      sql`DELETE FROM ${recordLinks} WHERE ${and(fromOrigin(workspaceId, origin), or(...removed.map(isLink)))}`,
    )
  if (added.length > 0) {
    const links = added.map((link) => ({ workspaceId, ...origin, ...link }))
    await writeRows(tx, recordLinks, tx.insert(recordLinks).values(links).onConflictDoNothing().getSQL())
  }
  return { added, removed }
}

/**
 * Returns the record whose tasks or activities a list is requested for: both parameters or none. A record out of sight
 * counts as missing.
 */
export async function requireListedRecord(
  db: Executor,
  context: LinkContext,
  { entityType, entityId }: Partial<RecordLink>,
): Promise<void> {
  if (entityType === undefined && entityId === undefined) return
  if (entityType === undefined || entityId === undefined) {
    const param = entityType === undefined ? 'entityType' : 'entityId'
    throw new ApiError('INVALID_QUERY_PARAM', { details: { param, message: 'entityType and entityId go together' } })
  }
  if (!(await isVisibleRecord(db, context, entityType, entityId)))
    throw new ApiError('NOT_FOUND', { message: 'There is no such record' })
}

function selectLinks(db: Executor, where: SQL | undefined) {
  return db.select().from(recordLinks).where(where).orderBy(asc(recordLinks.entityType), asc(recordLinks.entityId))
}

function fromOrigin(workspaceId: string, { fromType, fromId }: LinkOrigin): SQL | undefined {
  return and(
    eq(recordLinks.workspaceId, workspaceId),
    eq(recordLinks.fromType, fromType),
    eq(recordLinks.fromId, fromId),
  )
}

function isLink({ entityType, entityId }: RecordLink): SQL | undefined {
  return and(eq(recordLinks.entityType, entityType), eq(recordLinks.entityId, entityId))
}

function toLink({ entityType, entityId }: RecordLink): RecordLink {
  return { entityType, entityId }
}

function eachOnce(links: readonly RecordLink[]): RecordLink[] {
  const known = links.map(({ entityType, entityId }): [string, RecordLink] => [
    `${entityType}:${entityId.toLowerCase()}`,
    { entityType, entityId: entityId.toLowerCase() },
  ])
  return [...new Map(known).values()]
}

function linksWithout(links: readonly RecordLink[], others: readonly RecordLink[]): RecordLink[] {
  return links.filter(
    (link) => !others.some((other) => other.entityType === link.entityType && other.entityId === link.entityId),
  )
}
