import { documentTemplate as kind } from '@crm/model'
import * as z from 'zod'
import { entityTypeName, id, recordFields, requiredText } from '../fields.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'

export const documentRecordStatuses = ['DRAFT', 'SENT', 'SIGNED', 'VOID'] as const

const warning = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })

/** A template of documents (docs/guide/records.md). */
const documentTemplate = recordOf(kind)

const checkedTemplate = documentTemplate.extend({
  warnings: z.array(warning).meta({ description: 'Variables that no record is known to have' }),
})

const input = inputOf(kind)
const documentInput = input.extend({ kind: input.shape.kind.unwrap().default('OTHER') })
export type DocumentInput = z.output<typeof documentInput>

const documentPatch = patchOf(kind)
export type DocumentPatch = z.output<typeof documentPatch>

const { savedFilterId: _savedFilter, ...usualFilters } = commonFilters

const documentOperations = standard({
  path: '/api/documents',
  noun: 'document template',
  plural: 'document templates',
  record: documentTemplate,
  create: documentInput,
  update: documentPatch,
  list: pagedList(documentTemplate, usualPages, {
    ...usualFilters,
    ...filtersOf(kind),
    ...sortQuery(sortFieldsOf(kind)),
  }),
  access: entityAccess('DOCUMENT'),
})

export const documents = resource(
  { name: 'documents', entity: kind.entity },
  'FILES',
  withUndo({
    ...documentOperations,
    create: { ...documentOperations.create, reply: data(201, checkedTemplate), errors: ['TEMPLATE_INVALID'] },
    update: { ...documentOperations.update, reply: data(200, checkedTemplate), errors: ['TEMPLATE_INVALID'] },
    delete: { ...documentOperations.delete, errors: ['IN_USE'] },
  }),
)

/** A document that was made from a template for a record (docs/guide/records.md). */
const documentRecord = z.object({
  ...recordFields,
  documentId: id,
  entityType: z.string(),
  entityId: id,
  title: z.string(),
  status: z.enum(documentRecordStatuses),
  fileId: id.nullable(),
})
export type DocumentRecord = z.output<typeof documentRecord>

const recordInput = z.strictObject({
  documentId: id,
  entityType: entityTypeName,
  entityId: id,
  title: requiredText(300).optional(),
})
export type DocumentRecordInput = z.output<typeof recordInput>

const recordPatch = z.strictObject({
  title: requiredText(300).optional(),
  status: z.enum(documentRecordStatuses).optional(),
})
export type DocumentRecordPatch = z.output<typeof recordPatch>

const recordOperations = standard({
  path: '/api/document-records',
  noun: 'document',
  plural: 'documents of the records that you may see',
  record: documentRecord,
  create: recordInput,
  update: recordPatch,
  list: pagedList(documentRecord, usualPages, {
    documentId: id.optional(),
    entityType: entityTypeName.optional(),
    entityId: id.optional(),
    status: z.enum(documentRecordStatuses).optional(),
  }),
  access: entityAccess('DOCUMENT'),
})

export const documentRecords = resource({ name: 'documentRecords', entity: 'DOCUMENT_RECORD' }, 'FILES', {
  ...recordOperations,
  create: {
    ...recordOperations.create,
    summary: 'Make a document from a template for a record',
    description: 'Renders a PDF file that belongs to the record.',
    errors: ['TEMPLATE_INVALID', 'STORAGE_QUOTA_EXCEEDED'],
    preview: false,
  },
  update: { ...recordOperations.update, errors: ['INVALID_TRANSITION'] },
})
