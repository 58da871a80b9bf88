import { isAnyOf, newId, schema, type Executor, type Page, type Transaction, inNameOrder } from '@crm/db'
import { isNotPutOff } from '@crm/jobs'
import { and, asc, count, desc, eq, getTableColumns, isNotNull, lte, sql, type SQL } from 'drizzle-orm'

const { documentRecords, files, fileLinks, fileUploads } = schema
const {
  workspaceId: _workspaceId,
  searchText: _searchText,
  departmentId: _departmentId,
  deletedAt: _deletedAt,
  leavesAt: _leavesAt,
  ...shown
} = getTableColumns(files)

/** The properties of a file, without its links. */
export type FileRow = Pick<typeof files.$inferSelect, keyof typeof shown>

/** A record to which a file belongs. */
export interface FileLink {
  readonly entityType: string
  readonly entityId: string
}

const sortable = {
  createdAt: files.createdAt,
  updatedAt: files.updatedAt,
  name: files.name,
  size: files.size,
}

/** The order and the bounds of a page of files. */
export interface FilePage {
  readonly sortBy?: keyof typeof sortable
  readonly sortOrder: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
  readonly locale: string
}

/** Returns one page of files with the total. */
export async function listFiles(
  db: Executor,
  where: SQL,
  { sortBy = 'createdAt', sortOrder, limit, offset, locale }: FilePage,
): Promise<Page<FileRow>> {
  const direction = sortOrder === 'asc' ? asc : desc
  const [total] = await db.select({ n: count() }).from(files).where(where)
  const items = await db
    .select(shown)
    .from(files)
    .where(where)
    .orderBy(direction(sortBy === 'name' ? inNameOrder(files.name, locale) : sortable[sortBy]), direction(files.id))
    .limit(limit)
    .offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one file within a condition. */
export async function findFile(db: Executor, where: SQL, id: string): Promise<FileRow | undefined> {
  const [row] = await db
    .select(shown)
    .from(files)
    .where(and(where, eq(files.id, id)))
  return row
}

/** Returns one file within a condition, locked for a change. */
export async function lockFile(tx: Transaction, where: SQL, id: string): Promise<FileRow | undefined> {
  const [row] = await tx
    .select(shown)
    .from(files)
    .where(and(where, eq(files.id, id)))
    .for('update')
  return row
}

/** Returns how many of these files are within a condition. */
export async function countFiles(db: Executor, where: SQL, ids: readonly string[]): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(files)
    .where(and(where, isAnyOf(files.id, ids)))
  return row?.n ?? 0
}

/** Returns the links of files within a condition, oldest first. */
export async function selectLinks(
  db: Executor,
  workspaceId: string,
  fileIds: readonly string[],
  where?: SQL,
): Promise<Map<string, FileLink[]>> {
  if (fileIds.length === 0) return new Map()
  const rows = await db
    .select({ fileId: fileLinks.fileId, entityType: fileLinks.entityType, entityId: fileLinks.entityId })
    .from(fileLinks)
    .where(and(eq(fileLinks.workspaceId, workspaceId), isAnyOf(fileLinks.fileId, fileIds), where))
    .orderBy(fileLinks.createdAt, fileLinks.entityType, fileLinks.entityId)
  const byFile = Map.groupBy(rows, ({ fileId }) => fileId)
  return new Map(
    [...byFile].map(([fileId, ofFile]) => [
      fileId,
      ofFile.map(({ entityType, entityId }) => ({ entityType, entityId })),
    ]),
  )
}

/** Returns the condition for files of a record. */
export function belongsTo(workspaceId: string, { entityType, entityId }: FileLink): SQL {
  return sql`EXISTS (SELECT FROM ${fileLinks} WHERE ${and(eq(fileLinks.workspaceId, workspaceId), eq(fileLinks.fileId, files.id), eq(fileLinks.entityType, entityType), eq(fileLinks.entityId, entityId))})`
}

/** Writes a file whose bytes are stored. */
export async function insertFile(tx: Transaction, values: typeof files.$inferInsert): Promise<FileRow> {
  const [row] = await tx.insert(files).values(values).returning(shown)
  return row as FileRow
}

/** Changes a file. */
export async function updateFile(
  tx: Transaction,
  workspaceId: string,
  id: string,
  set: Partial<typeof files.$inferInsert>,
): Promise<FileRow> {
  const [row] = await tx
    .update(files)
    .set(set)
    .where(and(eq(files.workspaceId, workspaceId), eq(files.id, id)))
    .returning(shown)
  return row as FileRow
}

/** Links a file to records; an existing link stays. */
export async function insertLinks(
  tx: Transaction,
  workspaceId: string,
  fileId: string,
  links: readonly FileLink[],
  at: string,
): Promise<void> {
  if (links.length === 0) return
  await tx
    .insert(fileLinks)
    .values(links.map((link) => ({ ...link, workspaceId, fileId, createdAt: at })))
    .onConflictDoNothing()
}

/** Deletes links of a file; returns their number. */
export async function deleteLinks(
  tx: Transaction,
  workspaceId: string,
  fileId: string,
  links: readonly FileLink[],
): Promise<number> {
  let deleted = 0
  for (const { entityType, entityId } of links) {
    const isLink = and(
      eq(fileLinks.workspaceId, workspaceId),
      eq(fileLinks.fileId, fileId),
      eq(fileLinks.entityType, entityType),
      eq(fileLinks.entityId, entityId),
    )
    deleted += (await tx.delete(fileLinks).where(isLink)).rowCount ?? 0
  }
  return deleted
}

/** Records an upload before its first byte, and returns the id of the future file. */
export async function beginUpload(db: Executor, workspaceId: string, at: string): Promise<string> {
  const id = newId()
  await db.insert(fileUploads).values({ workspaceId, id, startedAt: at })
  return id
}

/** Ends an upload in the transaction that writes the file; false when the upload was discarded meanwhile. */
export async function endUpload(tx: Executor, key: FileKey): Promise<boolean> {
  const rows = await tx.delete(fileUploads).where(isUpload(key)).returning({ id: fileUploads.id })
  return rows.length === 1
}

/** Locks an unfinished upload; undefined when it has ended, or when another transaction holds it. */
export async function lockUpload(tx: Transaction, key: FileKey): Promise<FileKey | undefined> {
  const [row] = await tx
    .select({ workspaceId: fileUploads.workspaceId, id: fileUploads.id })
    .from(fileUploads)
    .where(isUpload(key))
    .for('update', { skipLocked: true })
  return row
}

/** The key of a file: its workspace and its id. */
export interface FileKey {
  readonly workspaceId: string
  readonly id: string
}

/** Returns unfinished uploads that began before a time, without those whose removal failed and waits. */
export function selectOldUploads(
  db: Executor,
  work: string,
  { before, at }: { readonly before: string; readonly at: string },
  limit: number,
): Promise<FileKey[]> {
  return db
    .select({ workspaceId: fileUploads.workspaceId, id: fileUploads.id })
    .from(fileUploads)
    .where(
      and(
        lte(fileUploads.startedAt, before),
        isNotPutOff(work, { workspaceId: fileUploads.workspaceId, row: fileUploads.id }, at),
      ),
    )
    .orderBy(fileUploads.startedAt)
    .limit(limit)
}

/** Returns files whose time is over, without those whose removal failed and waits. */
export function selectLeaving(db: Executor, work: string, at: string, limit: number): Promise<FileKey[]> {
  return db
    .select({ workspaceId: files.workspaceId, id: files.id })
    .from(files)
    .where(
      and(
        isNotNull(files.leavesAt),
        lte(files.leavesAt, at),
        isNotPutOff(work, { workspaceId: files.workspaceId, row: files.id }, at),
      ),
    )
    .orderBy(files.leavesAt)
    .limit(limit)
}

/**
 * Deletes a file whose time is over for good; false when it was restored, or when another transaction holds it. A document
 * whose file somebody deleted stays without a file; a document whose file only lost its links breaks the reference.
 */
export async function purgeFile(tx: Transaction, { workspaceId, id }: FileKey, at: string): Promise<boolean> {
  const isLeaving = and(
    eq(files.workspaceId, workspaceId),
    eq(files.id, id),
    isNotNull(files.leavesAt),
    lte(files.leavesAt, at),
  )
  const [row] = await tx
    .select({ deletedAt: files.deletedAt })
    .from(files)
    .where(isLeaving)
    .for('update', { skipLocked: true })
  if (!row) return false
  if (row.deletedAt)
    await tx
      .update(documentRecords)
      .set({ fileId: null })
      .where(and(eq(documentRecords.workspaceId, workspaceId), eq(documentRecords.fileId, id)))
  await tx.delete(files).where(isLeaving)
  return true
}

/** Cancels the scheduled removal of a file. */
export async function keepFile(db: Executor, { workspaceId, id }: FileKey): Promise<void> {
  await db
    .update(files)
    .set({ leavesAt: null })
    .where(and(eq(files.workspaceId, workspaceId), eq(files.id, id)))
}

function isUpload({ workspaceId, id }: FileKey): SQL {
  return and(eq(fileUploads.workspaceId, workspaceId), eq(fileUploads.id, id)) as SQL
}
