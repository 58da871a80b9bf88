import { documents, success, undoableSuccess } from '@crm/contract'
import { getTableColumns } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { recordKinds } from '../../../kinds/kinds.ts'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import { readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import type { RecordKind } from '../../../records/owned/kind.ts'
import { planOwned } from '../../../records/owned/plan.ts'
import { changeRecord, createRecord } from '../../../records/owned/write.ts'
import { documentKind } from '../../../kinds/documents.ts'
import { documentWriter } from './documents.commands.ts'
import { readTemplate, warnOfUnknown } from './documents.template.ts'

const { delete: remove } = writeHandlers(documentWriter)

export const implementedDocuments = implement(documents, {
  ...readHandlers(documentKind),
  delete: remove,

  create: async ({ body }, context) => {
    const template = readTemplate(body.body)
    const row = await context.transact(async (tx) => {
      const { customFields: _customFields, ...owned } = planOwned(
        body,
        await recallOwnedFacts(tx, context, documentKind, nextOwner(context, body)),
      )
      return createRecord(tx, context, documentKind, { name: body.name, kind: body.kind, body: body.body, ...owned })
    })
    return success({ ...row, warnings: warnOfUnknown(template, knownFields()) })
  },

  update: async ({ params, body }, context) => {
    if (body.body !== undefined) readTemplate(body.body)
    const scope = context.scope('DOCUMENT', 'UPDATE')
    const { row, undoId } = await context.transact((tx) =>
      changeRecord(tx, context, documentWriter, scope, params.id, body),
    )
    return undoableSuccess({ ...row, warnings: warnOfUnknown(readTemplate(row.body), knownFields()) }, undoId)
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
