import { cellProblems, fileProblems, type CellProblemCode, type FileProblemCode } from '@crm/errors'
import * as z from 'zod'
import { byId, entityTypeName, id, instant, timeZone } from '../../fields.ts'
import { found } from '../../found.ts'
import { bytes } from '../../handlers.ts'
import { pagedList, referenceList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'
import { customFieldKey, customFieldTypes } from './custom-fields.ts'
import { transferredEntities } from './transfers.ts'

/** The programs whose exports are known by their titles; `FILES` are any others. */
export const migrationSources = ['HUBSPOT', 'PIPEDRIVE', 'SALESFORCE', 'ZOHO', 'TWENTY', 'ESPOCRM', 'FILES'] as const
export type MigrationSource = (typeof migrationSources)[number]

export const migrationStates = [
  'ANALYSING',
  'ANALYSED',
  'CHECKING',
  'CHECKED',
  'QUEUED',
  'RUNNING',
  'DONE',
  'FAILED',
  'CANCELLED',
  'REVERTING',
  'REVERTED',
] as const
export type MigrationState = (typeof migrationStates)[number]

/** The most files of one migration, the bytes of each, and its rows without the header. */
export const migrationFilesMax = 20
export const migrationFileBytesMax = 50_000_000
export const migrationRowsMax = 200_000
/** The most lines of one record that a file of their own has, such as the items of a deal. */
export const migrationLinesMax = 200

/** The values by which a row finds a record that is there already. */
export const migrationMatches = ['externalId', 'email', 'phone', 'domain', 'number'] as const
export type MigrationMatch = (typeof migrationMatches)[number]

const onMissing = z.enum(['CREATE', 'EMPTY', 'SKIP', 'FAIL']).meta({
  description:
    'What happens where the cell names nothing that is here: it is created (needs CREATE_ of its kind), the cell is left empty, the row is left out, or the row fails',
})
const order = z.enum(['DAY_FIRST', 'MONTH_FIRST'])
const decimal = z.enum(['POINT', 'COMMA'])
const phones = z.enum(['NATIONAL', 'INTERNATIONAL']).meta({
  description: 'What digits without a plus are: numbers as they are dialled at home, or numbers whose plus was lost',
})
const encoding = z.string().max(40).meta({ description: 'As the WHATWG names it' })
const kind = z.enum(transferredEntities).meta({ description: 'The kind of record of the rows' })
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: 'Two letters, such as DE' })
const fieldName = z.string().max(100).meta({
  description: 'As the list of fields names it; custom fields are cf_<key>, those that the import makes included',
})
const constants = z
  .record(z.string().max(100), z.string().max(500))
  .refine((known) => Object.keys(known).length <= 20, 'Expected 20 at most')
  .meta({ description: 'A text for each field that is the same in every row, such as {"type": "NOTE"}' })

const format = z.object({
  phones: phones.nullable(),
  validWithPlus: z.number().nullable().meta({
    description: 'Which share of the digits without a plus is valid with one, from 0 to 1: the reason for phones',
  }),
  currency: z.string().nullable().meta({ description: 'The one currency of the amounts, where the cells name it' }),
  order: order.nullish().meta({ description: 'Of day and month in this column alone; null: that of the file' }),
  decimal: decimal
    .nullish()
    .meta({ description: 'The sign before the decimals in this column alone; null: that of the file' }),
})

const column = z.object({
  at: z.int().meta({ description: 'The position in the file, from 0: two columns may have one header' }),
  header: z.string(),
  field: fieldName.nullable().meta({ description: 'Null: the column is left out' }),
  confidence: z.number().meta({ description: 'How sure the proposal is, from 0 to 1' }),
  format,
  onMissing: onMissing.nullable().meta({ description: 'For fields that refer to something' }),
  filled: z.int().meta({ description: 'How many of the rows looked at have a value' }),
  samples: found(z.array(z.string()).meta({ description: 'The first three different values' }), []),
  reads: z.array(z.string().nullable()).optional().meta({
    description: 'Of days, moments and numbers: the samples as this plan reads them; null for what it cannot read',
  }),
  lostLetters: z.boolean().meta({
    description: 'Whether question marks stand inside of names: the program that wrote the file lost letters',
  }),
})

const fileProblemCodes = Object.keys(fileProblems) as [FileProblemCode, ...FileProblemCode[]]
const problemCodes = Object.keys(cellProblems) as [CellProblemCode, ...CellProblemCode[]]
const problem = z.object({
  line: z.int().meta({ description: 'In the file, from 1' }),
  header: z.string().nullable().meta({ description: 'The title of the column; null for a problem of the row' }),
  field: z.string().nullable(),
  code: z.enum(problemCodes),
  values: z.record(z.string(), z.string()).meta({ description: 'What stands in the sentence of the code' }),
  message: z.string().meta({ description: 'In English' }),
  isRow: z.boolean().meta({ description: 'Whether the row did not come in; else only the cell was left out' }),
})

const skippedLine = z.object({
  line: z.int(),
  code: z.enum(problemCodes).nullable().meta({ description: 'Null for lines above the header' }),
  text: z.string(),
})

const part = z.object({
  kind,
  field: z.string().meta({ description: 'The field of the record that the lines fill, such as items' }),
})
export type MigrationPart = z.infer<typeof part>

const migrationFile = z.object({
  id,
  name: z.string(),
  bytes: z.int(),
  kind: kind.nullable().meta({ description: 'Null: the file is left out, or has the lines of records' }),
  part: part.nullable().meta({
    description:
      'Of a file with the lines of records, as exports give it; its first column names the record, whose file comes with the same import',
  }),
  confidence: z.number().meta({ description: 'How sure the kind is, from 0 to 1' }),
  constants,
  sheet: z.string().nullable(),
  sheets: z.array(z.string()).meta({ description: 'Of a workbook' }),
  encoding: encoding.nullable().meta({ description: 'The WHATWG label; null for a workbook' }),
  encodings: z.array(encoding).meta({
    description: 'What the bytes can be, the most probable first; more than one is a question',
  }),
  previews: found(
    z
      .array(z.object({ line: z.int(), texts: z.record(z.string(), z.string()) }))
      .meta({ description: 'The first lines that the encodings read differently, by encoding' }),
    [],
  ),
  order: order
    .nullable()
    .meta({ description: 'Of day and month in the dates of the file whose column has none of its own' }),
  orders: z.array(order).meta({ description: 'The orders that fit these dates; more than one is a question' }),
  decimal: decimal
    .nullable()
    .meta({ description: 'The sign before the decimals, in columns that have none of their own' }),
  decimals: z.array(decimal).meta({ description: 'The signs that fit these numbers; more than one is a question' }),
  headerLine: z.int().nullable(),
  rows: z.int().meta({ description: 'Rows that are records' }),
  skippedRows: z.int(),
  skipped: found(
    z.array(skippedLine).meta({ description: 'The first lines that are no records: above, between and below' }),
    [],
  ),
  columns: z.array(column),
  problem: z.string().nullable().meta({ description: 'Why the file cannot be read; it is left out. In English' }),
  problemCode: z.enum(fileProblemCodes).nullable(),
  problemValues: z.record(z.string(), z.string()).meta({ description: 'What stands in the sentence of the code' }),
})

const stageWord = z.object({
  kind: entityTypeName.meta({ description: 'LEAD or DEAL' }),
  pipeline: z.string().nullable().meta({ description: 'The pipeline that the file names beside the stage' }),
  text: z.string(),
  rows: z.int(),
  stageId: id.nullable().meta({ description: 'Null: the first open stage' }),
})
const ownerWord = z.object({
  text: z.string(),
  rows: z.int(),
  employeeId: id
    .nullable()
    .meta({ description: 'Null: the record gets the default owner, and the name stays in its text' }),
})
const currencyWord = z.object({ text: z.string(), rows: z.int(), currency: z.string().nullable() })

const customFieldWish = z.object({
  kind: entityTypeName,
  key: customFieldKey,
  label: z.string().max(100),
  type: z.enum(customFieldTypes),
})

const settings = {
  customFields: z.array(customFieldWish).max(200).meta({
    description:
      'The custom fields that the import makes; a column names one as cf_<key>. Needs the right to change the settings',
  }),
  defaultOwnerId: id.meta({ description: 'Who gets the records whose owner is not here' }),
  defaultCountry: country.nullable().meta({ description: 'Of phone numbers without a country code' }),
  zone: timeZone.meta({ description: 'Of times that name none' }),
  onBadCell: z.enum(['EMPTY', 'SKIP_ROW']).meta({
    description: 'Whether a cell that cannot be read is left empty, or its row is left out',
  }),
  matchBy: z.array(z.enum(migrationMatches)).max(migrationMatches.length).meta({
    description:
      'By what records are found that are here already, over all addresses and numbers of a record; the external id always comes first',
  }),
  onDuplicate: z.enum(['SKIP', 'UPDATE', 'CREATE']),
  automation: z.enum(['SILENT', 'RUN']).meta({
    description: 'SILENT: no rule, workflow, notification or mail hears of the records, only of import.finished',
  }),
} as const

const plan = z.object({
  files: z.array(migrationFile),
  stages: found(z.array(stageWord), []),
  owners: found(z.array(ownerWord), []),
  currencies: z.array(currencyWord),
  ...settings,
})

const counts = {
  total: z.int(),
  processed: z.int(),
  created: z.int(),
  updated: z.int(),
  merged: z.int(),
  skipped: z.int(),
  failed: z.int(),
}

const migration = z.object({
  id,
  source: z.enum(migrationSources),
  state: z.enum(migrationStates),
  problem: z.string().nullable(),
  plan: plan.nullable().meta({ description: 'Null until the files are analysed' }),
  result: z
    .object({
      phase: z.enum(['CHECK', 'IMPORT']),
      ...counts,
      files: z.array(
        z.object({
          id,
          name: z.string(),
          kind: entityTypeName.nullable(),
          ...counts,
          problemCount: z.int(),
          problems: found(z.array(problem).meta({ description: 'The first hundred; problems.csv has all' }), []),
        }),
      ),
      made: z.record(z.string(), z.int()).meta({
        description: 'How many of each kind were created because a cell named them, and no file has them',
      }),
    })
    .nullable()
    .meta({ description: 'Of the last trial or import; null before the first' }),
  reverted: z.int(),
  remains: found(
    z.array(z.object({ entityType: z.string(), id, title: z.string() })).meta({
      description: 'After a revert: what automation made of the records, the first hundred',
    }),
    [],
  ),
  filesUntil: instant.nullable().meta({ description: 'Until when the files are kept' }),
  createdById: id,
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
})

const columnChange = column
  .pick({ at: true, field: true, onMissing: true })
  .partial({ field: true, onMissing: true })
  .extend({ format: format.pick({ phones: true, currency: true, order: true, decimal: true }).partial().optional() })
const fileChange = migrationFile
  .pick({ id: true, kind: true, constants: true, sheet: true, encoding: true, order: true, decimal: true })
  .partial()
  .required({ id: true })
  .extend({ columns: z.array(columnChange).max(1_000).optional() })

/** One value may stand alone. */
const matchWish = z
  .union([z.enum(migrationMatches).transform((one) => [one]), settings.matchBy])
  .meta({ description: settings.matchBy.meta()?.description })

const planChange = z
  .object({
    files: z.array(fileChange).max(migrationFilesMax),
    stages: z.array(stageWord.pick({ kind: true, pipeline: true, text: true, stageId: true })).max(500),
    owners: z.array(ownerWord.pick({ text: true, employeeId: true })).max(1_000),
    currencies: z.array(currencyWord.pick({ text: true, currency: true })).max(200),
    ...settings,
    matchBy: matchWish,
  })
  .partial()
export type MigrationPlanChange = z.output<typeof planChange>
export type MigrationPlan = z.output<typeof plan>
export type MigrationFilePlan = z.output<typeof migrationFile>
export type MigrationColumnPlan = z.output<typeof column>

const options = z.strictObject({ source: z.enum(migrationSources).default('FILES') })

const mayImport = { all: ['IMPORT_DATA'] } as const
const moved = { access: mayImport, reach: { reveals: 'migration' }, params: byId, reply: data(200, migration) } as const

const migrationField = z.object({
  field: fieldName,
  label: z.string().nullable().meta({ description: 'What the workspace calls a custom field' }),
  type: z.string().meta({ description: 'As in the description of the kind' }),
  to: z.string().nullable().meta({ description: 'What a value refers to' }),
  isRequired: z.boolean(),
  takesSeveral: z.boolean().meta({ description: 'Whether several columns can go to it' }),
})

export const migrations = settingsResource('settings.migrations', {
  list: {
    method: 'GET',
    path: '/api/settings/migrations',
    summary: 'List migrations, the latest first',
    access: mayImport,
    reach: 'none',
    ...pagedList(migration.omit({ plan: true, result: true, remains: true }), usualPages, {}),
  },
  create: {
    method: 'POST',
    path: '/api/settings/migrations',
    summary: 'Bring the files of another program',
    description:
      'A form with up to 20 files (CSV, xlsx, xls, ods or vCard, 50 MB and 200,000 rows each, or zip archives of such files) in the field files and, as JSON, options. The files are analysed in the background; nothing is imported before start.',
    access: mayImport,
    reach: { reveals: 'migration' },
    upload: {
      field: 'options',
      fields: options,
      files: { field: 'files', max: migrationFilesMax, bytesMax: migrationFileBytesMax },
    },
    reply: data(201, migration),
    errors: ['STORAGE_QUOTA_EXCEEDED'],
  },
  fields: {
    method: 'GET',
    path: '/api/settings/migrations/fields',
    summary: 'List the fields that the columns of a file can go to',
    description: 'Needs CREATE_<TYPE>.',
    access: mayImport,
    reach: 'none',
    query: z.object({ kind }),
    reply: referenceList(migrationField).reply,
  },
  get: {
    method: 'GET',
    path: '/api/settings/migrations/{id}',
    summary: 'Read the plan, the progress and the problems of a migration',
    ...moved,
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/migrations/{id}',
    summary: 'Change the plan of a migration',
    description:
      'Only what is sent is changed: files by id, columns by their position, words by their text. What the plan only tells is ignored. Another encoding, sheet or kind of a file has it analysed again.',
    ...moved,
    body: z.strictObject({ plan: planChange }),
    errors: ['INVALID_TRANSITION'],
  },
  check: {
    method: 'POST',
    path: '/api/settings/migrations/{id}/check',
    summary: 'Try every row of a migration and write nothing',
    ...moved,
    errors: ['INVALID_TRANSITION'],
  },
  start: {
    method: 'POST',
    path: '/api/settings/migrations/{id}/start',
    summary: 'Import the files of a migration',
    description:
      'Needs CREATE_ of each kind, and UPDATE_ to update duplicates. Runs in the background; started again, it updates what changed and creates what is new.',
    ...moved,
    errors: ['INVALID_TRANSITION'],
  },
  cancel: {
    method: 'POST',
    path: '/api/settings/migrations/{id}/cancel',
    summary: 'End a migration where it is',
    description: 'What came in stays; a revert takes it back.',
    ...moved,
    errors: ['INVALID_TRANSITION'],
  },
  revert: {
    method: 'POST',
    path: '/api/settings/migrations/{id}/revert',
    summary: 'Take a migration back',
    description: 'Deletes what it created and restores what it changed, where nobody has changed it since.',
    ...moved,
    errors: ['INVALID_TRANSITION'],
  },
  problems: {
    method: 'GET',
    path: '/api/settings/migrations/{id}/problems.csv',
    summary: 'Download all problems of the last trial or import',
    access: mayImport,
    reach: { reveals: 'migration' },
    params: byId,
    reply: bytes('text/csv'),
  },
})
