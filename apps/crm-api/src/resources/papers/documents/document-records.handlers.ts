import {
  documentRecords as resource,
  success,
  type DocumentRecord,
  type DocumentRecordInput,
  type documentRecordStatuses,
} from '@crm/contract'
import { newId, recordChange, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { and, count, desc, eq, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { checkLetterLength, renderPdf } from '../../../pdf/render-pdf.ts'
import { sheetWords } from '../../../pdf/sheet-words.ts'
import { resolveKind } from '../../../kinds/kinds.ts'
import type { OwnedRow } from '../../../records/owned/kind.ts'
import { findRecord } from '../../../records/owned/repository.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { visibleReferences } from '../../../kinds/references.ts'
import { releaseFiles } from '../../../records/released-files.ts'
import { today } from '../../../records/moment.ts'
import { dayFormat, readLogo, readOrganization } from '../../../domain/commercial/commercial.sheet.ts'
import { createFile } from '../../../domain/files/files.creation.ts'
import { traceLinks } from '../../../domain/files/files.links.ts'
import { deleteLinks, lockFile } from '../../../domain/files/files.repository.ts'
import { documentKind } from '../../../kinds/documents.ts'
import { fillTemplate, readTemplate } from './documents.template.ts'

const { documentRecords: table } = schema

type Status = (typeof documentRecordStatuses)[number]

/** The statuses that may follow each status. */
const following: Readonly<Record<Status, readonly Status[]>> = {
  DRAFT: ['SENT', 'SIGNED', 'VOID'],
  SENT: ['SIGNED', 'VOID'],
  SIGNED: ['VOID'],
  VOID: [],
}

export const implementedDocumentRecords = implement(resource, {
  list: async ({ query }, context) => {
    const where = and(
      within(context, 'VIEW'),
      query.documentId ? eq(table.documentId, query.documentId) : undefined,
      query.entityType ? eq(table.entityType, query.entityType) : undefined,
      query.entityId ? eq(table.entityId, query.entityId) : undefined,
      query.status ? eq(table.status, query.status) : undefined,
    )
    const [total] = await context.db.select({ n: count() }).from(table).where(where)
    const rows = await context.db
      .select()
      .from(table)
      .where(where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toRecord), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireOne(context.db, context, 'VIEW', params.id))),

  create: async ({ body }, context) => {
    const { record, title, content } = await write(context, body)
    const link = { entityType: body.entityType, entityId: record.id }
    const file = await createFile(context, async (keep) => ({
      kept: await keep({ name: `${title}.pdf`, contentType: 'application/pdf', content: once(content) }),
      fields: { links: [link] },
    }))
    const { workspace, caller, at } = context
    const values = {
      documentId: body.documentId,
      ...link,
      title,
      status: 'DRAFT' as const,
      fileId: file.id,
      createdById: caller.employee.id,
      createdAt: at,
      updatedAt: at,
    }
    return context.transact(async (tx) => {
      const [row] = await tx
        .insert(table)
        .values({ workspaceId: workspace.id, id: newId(), ...values })
        .returning()
      return success(toRecord(row as typeof table.$inferSelect))
    })
  },

  update: ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await requireOne(tx, context, 'UPDATE', params.id, true)
      if (body.status && body.status !== current.status && !following[current.status].includes(body.status)) {
        throw new ApiError('INVALID_TRANSITION', {
          message: `A document that is ${current.status} cannot become ${body.status}`,
        })
      }
      const [row] = await tx
        .update(table)
        .set({ ...body, updatedAt: context.at })
        .where(isOne(context, params.id))
        .returning()
      if (body.status && body.status !== current.status) await tell(tx, context, current, body.status)
      return success(toRecord(row as typeof table.$inferSelect))
    }),

  delete: ({ params }, context) =>
    context.transact(async (tx) => {
      const current = await requireOne(tx, context, 'DELETE', params.id, true)
      await tx.delete(table).where(isOne(context, current.id))
      if (current.fileId) await takeFileAway(tx, context, current, current.fileId)
      return success({ id: current.id })
    }),
})

/** Removes the file of a document from the record: it came with the document, and is removed like every file that loses its last link. */
async function takeFileAway(
  tx: Transaction,
  context: CrmContext,
  { entityType, entityId }: typeof table.$inferSelect,
  fileId: string,
): Promise<void> {
  const { workspace, at } = context
  const file = await lockFile(tx, eq(schema.files.workspaceId, workspace.id), fileId)
  if (!file) return
  const link = { entityType, entityId }
  const removed = await deleteLinks(tx, workspace.id, fileId, [link])
  await releaseFiles(tx, workspace.id, [fileId], at)
  if (removed > 0) await traceLinks(tx, context, file, { removed: [link] })
}

/** Fills the template for the record and renders the pages. */
async function write(
  context: CrmContext,
  { documentId, entityType, entityId, title: wanted }: DocumentRecordInput,
): Promise<{ record: OwnedRow; title: string; content: Uint8Array }> {
  const { db, workspace, caller, at } = context
  const document = await findRecord(db, documentKind, context.scope('DOCUMENT'), documentId)
  if (!document) throw invalidReference('documentId')
  const kind = await resolveKind(db, context, entityType)
  const scope = kind && context.scopeIfAllowed(entityType)
  const record = scope ? await findRecord(db, kind, scope, entityId) : undefined
  if (!kind || !record) throw invalidReference('entityId')
  const organization = await readOrganization(db, workspace.id)
  const seller = organization?.legalName ?? workspace.brand.companyName ?? workspace.name
  const markdown = fillTemplate(readTemplate(document.body), {
    record,
    organization: { ...organization, name: seller },
    workspace: { name: workspace.name },
    author: { name: caller.employee.name, email: caller.employee.email },
    today: dayFormat(workspace)(today(at, workspace.timezone)),
  })
  const title = wanted ?? `${document.name}, ${kind.title(record)}`.slice(0, 300)
  const color = /^#[0-9a-f]{6}$/i.test(workspace.brand.primaryColor ?? '')
    ? (workspace.brand.primaryColor as string)
    : '#1f4e79'
  checkLetterLength(markdown)
  const { content } = await renderPdf(
    {
      kind: 'letter',
      language: workspace.locale,
      title,
      markdown,
      seller,
      logo: await readLogo(db, context),
      color,
      pageLabel: sheetWords(workspace.locale).page,
    },
    workspace.id,
  )
  return { record, title, content }
}

async function tell(
  tx: Transaction,
  { workspace, actor, at, groupId }: CrmContext,
  { id, entityType, entityId, title, status: from }: typeof table.$inferSelect,
  to: Status,
): Promise<void> {
  const entry = {
    entityType,
    entityId,
    kind: 'UPDATED',
    changes: [{ field: 'document', from, to }],
    data: { title },
    relatedType: 'DOCUMENT_RECORD',
    relatedId: id,
  }
  await recordChange(tx, { workspaceId: workspace.id, actor, at, groupId, timeline: [entry] })
}

/** Returns the condition for documents of records that the caller may see; throws without the permission for documents. */
function within(context: CrmContext, action: 'VIEW' | 'UPDATE' | 'DELETE'): SQL {
  context.scope('DOCUMENT', action)
  return and(eq(table.workspaceId, context.workspace.id), visibleReferences(context, table)) as SQL
}

function isOne({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function requireOne(
  db: Executor,
  context: CrmContext,
  action: 'VIEW' | 'UPDATE' | 'DELETE',
  id: string,
  isLocked = false,
): Promise<typeof table.$inferSelect> {
  const found = db
    .select()
    .from(table)
    .where(and(within(context, action), eq(table.id, id)))
  const [row] = await (isLocked ? found.for('update') : found)
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such document' })
  return row
}

function toRecord({ workspaceId: _workspace, ...row }: typeof table.$inferSelect): DocumentRecord {
  return row
}

async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content
}
