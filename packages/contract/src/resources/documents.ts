import * as z from 'zod'
import {
  entityTypeName,
  expectedVersion,
  id,
  newOwner,
  ownedFields,
  recordFields,
  requiredText,
  tags,
} from '../fields.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'

export const documentRecordStatuses = ['DRAFT', 'SENT', 'SIGNED', 'VOID'] as const

const warning = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })

/** A template of documents (docs/guide/records.md). */
export const documentTemplate = z.object({
  ...ownedFields,
  name: z.string(),
  kind: z.string(),
  body: z.string(),
})

const checkedTemplate = documentTemplate.extend({
  warnings: z.array(warning).meta({ description: 'Variables that no record is known to have' }),
})

const editable = { ownerId: newOwner, tags: tags.optional() }
const kind = requiredText(60).meta({ description: 'Such as CONTRACT or LETTER' })
const body = z
  .string()
  .min(1)
  .max(100_000)
  .meta({ description: 'Markdown with variables such as {{record.name}}, {{organization.name}}, {{today}}' })

const documentInput = z.strictObject({ name: requiredText(200), kind: kind.default('OTHER'), body, ...editable })
export type DocumentInput = z.output<typeof documentInput>

const documentPatch = z.strictObject({
  name: requiredText(200).optional(),
  kind: kind.optional(),
  body: body.optional(),
  ...editable,
  version: expectedVersion,
})
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
    kind: z.string().max(60).optional(),
    ...sortQuery(['createdAt', 'updatedAt', 'name', 'kind']),
  }),
  access: entityAccess('DOCUMENT'),
})

export const documents = resource(
  'documents',
  'FILES',
  withUndo({
    ...documentOperations,
    create: { ...documentOperations.create, reply: data(201, checkedTemplate), errors: ['TEMPLATE_INVALID'] },
    update: { ...documentOperations.update, reply: data(200, checkedTemplate), errors: ['TEMPLATE_INVALID'] },
    delete: { ...documentOperations.delete, errors: ['IN_USE'] },
  }),
)

/** A document that was made from a template for a record (docs/guide/records.md). */
export const documentRecord = z.object({
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

export const documentRecords = resource('documentRecords', 'FILES', {
  ...recordOperations,
  create: {
    ...recordOperations.create,
    summary: 'Make a document from a template for a record',
    description: 'Renders a PDF file that belongs to the record.',
    errors: ['TEMPLATE_INVALID', 'STORAGE_QUOTA_EXCEEDED'],
  },
  update: { ...recordOperations.update, errors: ['INVALID_TRANSITION'] },
})
