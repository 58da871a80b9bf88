import { entitiesWith } from '@crm/model'
import * as z from 'zod'
import { byId, id, instant } from '../../fields.ts'
import { found } from '../../found.ts'
import { bytes } from '../../handlers.ts'
import { pagedList, referenceList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'

/** The kinds of record that are imported as CSV; every kind with an owner is exported. */
export const transferredEntities = entitiesWith('transferred')
export type TransferredEntity = (typeof transferredEntities)[number]

/** The fields by which an import finds an existing record. */
export const matchFields = ['email', 'phone', 'sku'] as const
export type MatchField = (typeof matchFields)[number]

const mayImport = { all: ['IMPORT_DATA'] } as const
const mayExport = { all: ['EXPORT_DATA'] } as const

const importOptions = z.strictObject({
  entityType: z.enum(transferredEntities),
  mapping: z.record(z.string().max(500), z.string().max(100)).optional().meta({
    description:
      'The field for each header; left out: headers that are called like a field. Custom fields are cf_<key>',
  }),
  onDuplicate: z.enum(['SKIP', 'UPDATE', 'CREATE']).default('SKIP'),
  matchBy: z
    .enum(matchFields)
    .default('email')
    .meta({ description: 'By what records are found that are there already; products always by their SKU' }),
  automation: z.enum(['SILENT', 'RUN']).default('RUN').meta({
    description: 'SILENT: no rule, workflow, notification or mail hears of the records',
  }),
})
export type ImportWish = z.output<typeof importOptions>

const importRecord = z.object({
  id,
  fileName: z.string(),
  entityType: z.string(),
  header: z.array(z.string()),
  mapping: z.record(z.string(), z.string()),
  onDuplicate: z.enum(['SKIP', 'UPDATE', 'CREATE']),
  matchBy: z.enum(matchFields),
  automation: z.enum(['SILENT', 'RUN']),
  state: z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED', 'REVERTING', 'REVERTED']),
  total: z.int(),
  processed: z.int(),
  created: z.int(),
  updated: z.int(),
  merged: z.int().meta({ description: 'Rows that were merged into records that were there' }),
  skipped: z.int(),
  failed: z.int(),
  reverted: z.int(),
  problem: z.string().nullable(),
  errors: found(
    z
      .array(z.object({ line: z.int(), reason: z.string() }))
      .meta({ description: 'The first bad rows; errors.csv has them all' }),
    [],
  ),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
})

/** An import that is done, as `import.finished` tells of it: of a single file, or of all files of a migration. */
export const finishedImport = z.object({
  id,
  kinds: z.array(z.string()).meta({ description: 'The entity types of its files' }),
  fileNames: z.array(z.string()),
  source: z.string().meta({ description: 'The program from which the files come, or FILES' }),
  automation: z.enum(['SILENT', 'RUN']),
  created: z.int(),
  updated: z.int(),
  merged: z.int(),
  skipped: z.int(),
  failed: z.int(),
  createdById: id,
  createdAt: instant,
  finishedAt: instant,
})
export type FinishedImport = z.output<typeof finishedImport>

const importField = z.object({
  field: z.string().meta({ description: 'As in a mapping; custom fields are cf_<key>' }),
  label: z.string().nullable().meta({ description: 'What the workspace calls a custom field' }),
})

export const imports = settingsResource('settings.imports', {
  list: {
    method: 'GET',
    path: '/api/settings/imports',
    summary: 'List imports, the latest first',
    access: mayImport,
    reach: 'none',
    ...pagedList(importRecord.omit({ errors: true }), usualPages, {}),
  },
  create: {
    method: 'POST',
    path: '/api/settings/imports',
    summary: 'Import a CSV file',
    description:
      'A form with the file and, as JSON, options. Needs CREATE_<TYPE>, and UPDATE_<TYPE> to update duplicates. Runs in the background.',
    access: mayImport,
    reach: { reveals: 'import' },
    upload: { field: 'options', fields: importOptions },
    reply: data(201, importRecord),
    errors: ['STORAGE_QUOTA_EXCEEDED'],
  },
  fields: {
    method: 'GET',
    path: '/api/settings/imports/fields',
    summary: 'List the fields that the columns of a file can go to',
    description: 'Those of the kind and the custom fields of the workspace. Needs CREATE_<TYPE>.',
    access: mayImport,
    reach: 'none',
    query: z.object({ entityType: z.enum(transferredEntities) }),
    reply: referenceList(importField).reply,
  },
  get: {
    method: 'GET',
    path: '/api/settings/imports/{id}',
    summary: 'Read the progress of an import',
    access: mayImport,
    reach: { reveals: 'import' },
    params: byId,
    reply: data(200, importRecord),
  },
  errors: {
    method: 'GET',
    path: '/api/settings/imports/{id}/errors.csv',
    summary: 'Download the bad rows of an import with their reasons',
    access: mayImport,
    reach: { reveals: 'import' },
    params: byId,
    reply: bytes('text/csv'),
  },
  revert: {
    method: 'POST',
    path: '/api/settings/imports/{id}/revert',
    summary: 'Take an import back',
    description: 'Deletes what it created and restores what it changed, where nobody has changed it since.',
    access: mayImport,
    // The revert deletes only records that the person who asks may delete one by one too.
    reach: { reveals: 'import' },
    params: byId,
    reply: data(200, importRecord),
    errors: ['INVALID_TRANSITION'],
  },
})

/** The most records that an export takes by id. */
export const exportedIdsMax = 500

/** CSV for programs, XLSX for spreadsheets. */
export const exportFormats = ['CSV', 'XLSX'] as const

/** For so many days an export of everything can be fetched. */
export const everythingKeptDays = 7

const exportRecord = z.object({
  id,
  kind: z.enum(['RECORDS', 'WORKSPACE']),
  entityType: z.string().nullable(),
  format: z.enum([...exportFormats, 'ZIP']),
  parts: z
    .array(z.string())
    .meta({ description: 'The fields that have a file of their own, such as the lines of an invoice (?part=items)' }),
  filters: z
    .record(z.string(), z.string())
    .meta({ description: 'The parameters of the list; `ids`, by commas, where records were chosen by id' }),
  state: z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED']),
  rows: z.int(),
  problem: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
})

const exportWish = z
  .strictObject({
    kind: z.enum(['RECORDS', 'WORKSPACE']).default('RECORDS'),
    entityType: z.string().max(60).optional().meta({
      description: 'A kind that has an owner, or the key of a custom entity in capitals',
    }),
    format: z.enum(exportFormats).default('CSV').meta({ description: 'In XLSX phones, ids and codes are texts' }),
    filters: z.record(z.string().max(60), z.string().max(1000)).default({}),
    ids: z.array(id).min(1).max(exportedIdsMax).optional().meta({ description: 'Instead of filters' }),
  })
  .refine(({ kind, entityType }) => (kind === 'RECORDS') === (entityType !== undefined), {
    message: 'Name a kind of record, or ask for everything',
    path: ['entityType'],
  })
export type ExportWish = z.output<typeof exportWish>

export const exports = settingsResource('settings.exports', {
  create: {
    method: 'POST',
    path: '/api/settings/exports',
    summary: 'Export records, or everything',
    description:
      'Exactly those that you may see: all of a kind, those that the parameters of its list find, or some by id, with all that a record shows. An id of something that has a name is followed by the name. With kind WORKSPACE a zip has all records, comments, histories and files; it needs the sight of every record. Runs in the background; the file stays for as long as the installation keeps exports, a week by default, and counts for the storage of the workspace as long.',
    access: mayExport,
    reach: 'none',
    fresh: true,
    body: exportWish,
    reply: data(201, exportRecord),
    errors: ['ACCESS_DENIED'],
  },
  get: {
    method: 'GET',
    path: '/api/settings/exports/{id}',
    summary: 'Read the progress of an export of your own',
    access: mayExport,
    reach: 'none',
    params: byId,
    reply: data(200, exportRecord),
  },
  file: {
    method: 'GET',
    path: '/api/settings/exports/{id}/file',
    summary: 'Download an export of your own',
    description: 'As text/csv, as a workbook or as a zip, by its format.',
    access: mayExport,
    reach: { reveals: 'export' },
    params: byId,
    query: z.object({
      part: z.string().max(60).optional().meta({ description: 'One of its parts' }),
      format: z.enum(exportFormats).optional().meta({ description: 'Instead of the one it was made for' }),
    }),
    reply: bytes('*/*'),
    errors: ['INVALID_TRANSITION'],
  },
})
