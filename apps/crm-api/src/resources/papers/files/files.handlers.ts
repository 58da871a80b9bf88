import { files, success, undoableSuccess, type FileRecord } from '@crm/contract'
import { schema, type Executor, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { storageKey } from '@crm/storage'
import { and, eq, gte, lte, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { noteAct } from '../../../records/agent-acts.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { asUndoable } from '../../../records/owned/trace.ts'
import { afterKept } from '../../../records/released-files.ts'
import { searchCondition } from '../../../records/search-terms.ts'
import { createFile } from '../../../domain/files/files.creation.ts'
import { deleteFile } from '../../../domain/files/files.deleting.ts'
import { download } from './files.download.ts'
import { linksWithout, requireLinks, requireListed, traceLinks } from '../../../domain/files/files.links.ts'
import { safeName } from '../../../domain/files/files.naming.ts'
import {
  belongsTo,
  deleteLinks,
  findFile,
  insertLinks,
  listFiles,
  lockFile,
  selectLinks,
  updateFile,
  type FileLink,
  type FileRow,
} from '../../../domain/files/files.repository.ts'
import { changeableFiles, visibleFiles, visibleLinks } from '../../../domain/files/files.visibility.ts'

export const implementedFiles = implement(files, {
  list: async ({ query }, context) => {
    const { db } = context
    const within = visibleFiles(context)
    const listed = await requireListed(db, context, query)
    const { files: table } = schema
    const where = and(
      within,
      ...listed.map((link) => belongsTo(context.workspace.id, link)),
      searchCondition(query.search, table.searchText),
      query.uploadedById ? eq(table.uploadedById, query.uploadedById) : undefined,
      query.createdFrom ? gte(table.createdAt, query.createdFrom.toISOString()) : undefined,
      query.createdTo ? lte(table.createdAt, query.createdTo.toISOString()) : undefined,
    ) as SQL
    const { items, total } = await listFiles(db, where, {
      ...query,
      limit: query.pageSize,
      offset: offsetOf(query),
      locale: context.workspace.locale,
    })
    return pageOf({ items: await toRecords(db, context, items), total }, query)
  },

  get: async ({ params }, context) => {
    const file = requireFile(await findFile(context.db, visibleFiles(context), params.id))
    return success(await toRecord(context.db, context, file))
  },

  content: async ({ params }, context) => {
    const file = requireFile(await findFile(context.db, visibleFiles(context), params.id))
    return download(context.deps.storage, storageKey({ workspaceId: context.workspace.id, id: file.id }), file, context)
  },

  upload: async ({ upload }, context) => success(await createFile(context, upload.receive)),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = requireFile(await lockFile(tx, changeableFiles(context, 'UPDATE'), params.id))
      const name = body.name === undefined ? current.name : safeName(body.name)
      const file =
        name === current.name
          ? current
          : await updateFile(tx, context.workspace.id, current.id, { name, updatedAt: context.at })
      const linked = body.links === undefined ? file : await replaceLinks(tx, context, file, body.links)
      if (linked !== current)
        await noteAct(tx, context, { entityType: 'FILE', entityId: current.id, title: null, told: 'CHANGED' })
      return success(await toRecord(tx, context, linked))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const file = requireFile(await lockFile(tx, changeableFiles(context, 'DELETE'), params.id))
      const removed = await deleteFile(tx, asUndoable(context), file)
      // The histories of its records tell what undoing gives back.
      return undoableSuccess({ id: file.id }, removed.length > 0 ? context.groupId : null)
    }),
})

/** Replaces the links that the caller sees; other links stay. */
async function replaceLinks(
  tx: Transaction,
  context: CrmContext,
  file: FileRow,
  sent: readonly FileLink[],
): Promise<FileRow> {
  const { workspace, at } = context
  const before = (await selectLinks(tx, workspace.id, [file.id], visibleLinks(context))).get(file.id) ?? []
  const after = await requireLinks(tx, context, { links: sent }, before)
  const [added, removed] = [linksWithout(after, before), linksWithout(before, after)]
  if (added.length === 0 && removed.length === 0) return file
  await insertLinks(tx, workspace.id, file.id, added, at)
  await deleteLinks(tx, workspace.id, file.id, removed)
  await traceLinks(tx, context, file, { added, removed })
  const isLinked = (await selectLinks(tx, workspace.id, [file.id])).size > 0
  return updateFile(tx, workspace.id, file.id, { updatedAt: at, leavesAt: isLinked ? null : afterKept(at) })
}

async function toRecord(db: Executor, context: CrmContext, file: FileRow): Promise<FileRecord> {
  const [record] = await toRecords(db, context, [file])
  return record as FileRecord
}

/** Returns files with the links that the caller may see. */
async function toRecords(db: Executor, context: CrmContext, rows: readonly FileRow[]): Promise<FileRecord[]> {
  const links = await selectLinks(
    db,
    context.workspace.id,
    rows.map(({ id }) => id),
    visibleLinks(context),
  )
  return rows.map((file) => ({ ...file, links: links.get(file.id) ?? [] }))
}

function requireFile(file: FileRow | undefined): FileRow {
  if (!file) throw new ApiError('NOT_FOUND', { message: 'There is no such file' })
  return file
}
