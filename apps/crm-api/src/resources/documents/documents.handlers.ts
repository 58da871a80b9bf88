import { documents, success, type DocumentPatch } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, count, eq, getTableColumns } from 'drizzle-orm'
import { implement } from '../../platform/context.ts'
import { recordKinds } from '../../kinds/kinds.ts'
import { recallOwnedFacts } from '../../records/owned/facts.ts'
import { readHandlers, writeHandlers } from '../../records/owned/handlers.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { plainWriter } from '../../records/owned/plain.ts'
import { planOwned } from '../../records/owned/plan.ts'
import { noTrace } from '../../records/owned/trace.ts'
import { changeRecord, createRecord, type RecordWriter } from '../../records/owned/write.ts'
import { documentKind, type DocumentRow } from '../../kinds/documents.ts'
import { readTemplate, warnOfUnknown } from './documents.template.ts'

const { documentRecords } = schema

const writer: RecordWriter<DocumentRow, DocumentPatch> = {
  ...plainWriter(documentKind, documents.operations.list.query),
  beforeDelete: async (tx, { workspace }, rows) => {
    const [used] = await tx
      .select({ n: count() })
      .from(documentRecords)
      .where(
        and(
          eq(documentRecords.workspaceId, workspace.id),
          isAnyOf(
            documentRecords.documentId,
            rows.map(({ id }) => id),
          ),
        ),
      )
    if (used && used.n > 0)
      throw new ApiError('IN_USE', { message: 'Documents were made from this template', details: { count: used.n } })
    return noTrace
  },
}

const { delete: remove } = writeHandlers(writer)

export const implementedDocuments = implement(documents, {
  ...readHandlers(documentKind),
  delete: remove,

  create: async ({ body }, context) => {
    const template = readTemplate(body.body)
    const row = await context.transact(async (tx) => {
      const { customFields: _customFields, ...owned } = planOwned(
        body,
        await recallOwnedFacts(tx, context, documentKind, body.ownerId ?? context.caller.employee.id),
      )
      return createRecord(tx, context, documentKind, { name: body.name, kind: body.kind, body: body.body, ...owned })
    })
    return success({ ...row, warnings: warnOfUnknown(template, knownFields()) })
  },

  update: async ({ params, body }, context) => {
    if (body.body !== undefined) readTemplate(body.body)
    const scope = context.scope('DOCUMENT', 'UPDATE')
    const row = await context.transact((tx) => changeRecord(tx, context, writer, scope, params.id, body))
    return success({ ...row, warnings: warnOfUnknown(readTemplate(row.body), knownFields()) })
  },
})

/** Returns the fields that records of any kind have; the fields of custom entities are in `values`. */
function knownFields(): ReadonlySet<string> {
  return new Set([
    'values',
    'customFields',
    ...Object.values<RecordKind>(recordKinds).flatMap(({ table }) => Object.keys(getTableColumns(table))),
  ])
}
