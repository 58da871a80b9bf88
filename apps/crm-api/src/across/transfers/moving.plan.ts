import type { MigrationColumnPlan, MigrationFilePlan, MigrationPlanChange, TransferredEntity } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { ApiError, permissionRequired, type Issue } from '@crm/errors'
import { kindOf, referredFirst } from '@crm/model'
import { countryCodeOf } from '@crm/postal'
import type * as tables from '@crm/tables'
import { eq, sql } from 'drizzle-orm'
import { findNamed } from '../../domain/summaries/names.ts'
import type { CrmContext } from '../../platform/context.ts'
import { today } from '../../records/moment.ts'
import { recallOwnedFacts } from '../../records/owned/facts.ts'
import type { ImportRow } from './imports.repository.ts'
import { targetOf, targetsOf, type ColumnTarget, type CustomColumn } from './moving.columns.ts'
import { usualOnMissing } from './moving.proposals.ts'
import { wordsOf, type FilePlan, type PlanSettings } from './moving.repository.ts'
import type { RowPlan } from './moving.rows.ts'
import { transferredKinds } from './transfers.kinds.ts'

const { currencies, organizations, pipelines, stages } = schema

/** A file of a migration with its plan. */
export interface PlannedFile {
  readonly row: ImportRow
  readonly plan: FilePlan
}

/** What plans say that were made before problems of files had codes, and lines of records came in. */
const unproblematic: Partial<FilePlan> = { problemCode: null, problemValues: {}, part: null }

/** Returns the plan of a file as it is stored. */
export function planOf({ plan }: Pick<ImportRow, 'plan'>): FilePlan | null {
  return plan === null ? null : { ...unproblematic, ...(plan as FilePlan) }
}

/** Returns what is decided before anybody decides. */
export async function firstSettings(db: Executor, { workspace, caller }: CrmContext): Promise<PlanSettings> {
  const [organization] = await db
    .select({ address: organizations.address })
    .from(organizations)
    .where(eq(organizations.workspaceId, workspace.id))
  return {
    stages: [],
    owners: [],
    currencies: [],
    customFields: [],
    defaultOwnerId: caller.employee.id,
    defaultCountry: countryCodeOf(organization?.address?.country ?? '') ?? null,
    zone: workspace.timezone,
    onBadCell: 'EMPTY',
    matchBy: ['externalId', 'email', 'phone', 'domain', 'number'],
    onDuplicate: 'SKIP',
    automation: 'SILENT',
  }
}

/** The kinds that a person can bring: those of which they may make records. */
export function kindsOf({ caller }: Pick<CrmContext, 'caller'>): readonly TransferredEntity[] {
  // A file that could be several is most probably of the kind that others refer to.
  const order: readonly string[] = referredFirst()
  return (Object.keys(transferredKinds) as TransferredEntity[])
    .filter((entity) => caller.effective.has(`CREATE_${entity}`))
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
}

/** Reads the custom fields of some kinds, with those that the import is to make. */
export async function readCustomFields(
  db: Executor,
  context: CrmContext,
  entityTypes: readonly string[],
  wished: PlanSettings['customFields'],
): Promise<ReadonlyMap<string, readonly CustomColumn[]>> {
  const known = new Map<string, readonly CustomColumn[]>()
  for (const entityType of entityTypes) {
    const { customFields } = await recallOwnedFacts(db, context, { entityType }, context.caller.employee.id)
    const coming = wished
      .filter(({ kind, key }) => kind === entityType && !customFields.some((field) => field.key === key))
      .map(({ key, label, type }) => ({ key, label, type, options: [], isRequired: false, isComing: true as const }))
    known.set(entityType, [...customFields, ...coming])
  }
  return known
}

/** Returns the codes of the currencies that amounts may be in. */
export async function readCurrencies(db: Executor, { workspace }: Pick<CrmContext, 'workspace'>): Promise<string[]> {
  const rows = await db
    .select({ code: currencies.code, isActive: currencies.isActive })
    .from(currencies)
    .where(eq(currencies.workspaceId, workspace.id))
  return rows.filter(({ isActive }) => isActive).map(({ code }) => code)
}

/** Returns files in the order in which they come in: those that others refer to first, lines of records last. */
export function inOrder<File extends { readonly row: ImportRow; readonly plan: FilePlan }>(
  files: readonly File[],
): File[] {
  const order = referredFirst()
  // What is linked to records of any kind comes last.
  const placeOf = ({ plan: { kind } }: File): number =>
    kind === null
      ? Number.POSITIVE_INFINITY
      : order.indexOf(kind) + ('links' in (kindOf(kind)?.fields ?? {}) ? order.length : 0)
  return files
    .filter(({ plan }) => (plan.kind !== null || plan.part !== null) && plan.problem === null)
    .toSorted((a, b) => compared(placeOf(a), placeOf(b)) || a.row.position - b.row.position)
}

const compared = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1)

/** A stage as the words of files are compared with it. */
interface KnownStage {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly entityType: string
  readonly pipeline: string
  readonly isDefault: boolean
}

/** Reads the stages of leads and deals, those of the default pipelines first. */
async function readStages(db: Executor, { workspace }: Pick<CrmContext, 'workspace'>): Promise<KnownStage[]> {
  const { rows } = await db.execute<KnownStage & Record<string, unknown>>(sql`
    SELECT ${stages.id} AS id, ${stages.name} AS name, ${stages.type} AS type, ${pipelines.entityType} AS "entityType",
      ${pipelines.name} AS pipeline, ${pipelines.isDefault} AS "isDefault"
    FROM ${stages} JOIN ${pipelines} ON ${pipelines.workspaceId} = ${stages.workspaceId} AND ${pipelines.id} = ${stages.pipelineId}
    WHERE ${stages.workspaceId} = ${workspace.id} ORDER BY ${pipelines.isDefault} DESC, ${pipelines.position}, ${stages.position}, ${stages.id}`)
  return rows
}

type Reader = Pick<typeof tables, 'titleKey' | 'choiceWords'>

/** Returns the words of all files that a person decides on, with what they probably mean; what was decided stays. */
export async function collectWords(
  db: Executor,
  context: CrmContext,
  files: readonly PlannedFile[],
  settings: PlanSettings,
  reader: Reader,
): Promise<Pick<PlanSettings, 'stages' | 'owners' | 'currencies'>> {
  const [owners, moved, money] = [new Map<string, number>(), new Map<string, Word>(), new Map<string, number>()]
  for (const { row, plan } of files) {
    if (plan.kind === null) continue
    const targets = targetsOf(plan.kind, [])
    const pipeline = plan.columns.find(({ field }) => field === 'pipelineId')?.at
    for (const { at, field } of plan.columns) {
      const target = field === null ? undefined : targets.get(field)
      const to = target && targetOf(target)
      if (!target || (to !== 'EMPLOYEE' && to !== 'STAGE' && target.field.type !== 'currency')) continue
      for (const { text, beside, rows } of await wordsOf(db, row, at, to === 'STAGE' ? pipeline : undefined)) {
        if (to === 'STAGE') addWord(moved, { kind: plan.kind, pipeline: beside, text, rows })
        else
          (to === 'EMPLOYEE' ? owners : money).set(text, ((to === 'EMPLOYEE' ? owners : money).get(text) ?? 0) + rows)
      }
    }
  }
  return {
    stages: proposeStages([...moved.values()], await readStages(db, context), settings, reader),
    owners: await proposeOwners(db, context, owners, settings),
    currencies: proposeCurrencies(money, await readCurrencies(db, context), settings),
  }
}

interface Word {
  readonly kind: string
  readonly pipeline: string | null
  readonly text: string
  readonly rows: number
}

const wordKey = ({ kind, pipeline, text }: Omit<Word, 'rows'>): string => JSON.stringify([kind, pipeline, text])

function addWord(words: Map<string, Word>, word: Word): void {
  const known = words.get(wordKey(word))
  words.set(wordKey(word), { ...word, rows: word.rows + (known?.rows ?? 0) })
}

function proposeStages(
  words: readonly Word[],
  known: readonly KnownStage[],
  { stages: decided }: PlanSettings,
  { titleKey, choiceWords }: Reader,
): PlanSettings['stages'] {
  const before = new Map(decided.map((word) => [wordKey(word), word.stageId]))
  return words.map((word) => {
    const own = known.filter(({ entityType }) => entityType === word.kind)
    const ofPipeline =
      word.pipeline === null ? own : own.filter(({ pipeline }) => titleKey(pipeline) === titleKey(word.pipeline ?? ''))
    const among = ofPipeline.length > 0 ? ofPipeline : own
    const closed = (['WON', 'LOST'] as const).find((type) =>
      choiceWords[type]?.some((one) => titleKey(one) === titleKey(word.text)),
    )
    const found =
      among.find(({ name }) => titleKey(name) === titleKey(word.text)) ??
      (closed && among.find(({ type }) => type === closed))
    return { ...word, stageId: before.get(wordKey(word)) ?? found?.id ?? null }
  })
}

async function proposeOwners(
  db: Executor,
  context: CrmContext,
  words: ReadonlyMap<string, number>,
  { owners: decided }: PlanSettings,
): Promise<PlanSettings['owners']> {
  const found = await findNamed(db, context, 'EMPLOYEE', [...words.keys()], '')
  const before = new Map(decided.map(({ text, employeeId }) => [text, employeeId]))
  return [...words].map(([text, rows]) => {
    const ids = found.get(text) ?? []
    return { text, rows, employeeId: before.get(text) ?? (ids.length === 1 ? (ids[0] ?? null) : null) }
  })
}

function proposeCurrencies(
  words: ReadonlyMap<string, number>,
  known: readonly string[],
  { currencies: decided }: PlanSettings,
): PlanSettings['currencies'] {
  const before = new Map(decided.map(({ text, currency }) => [text, currency]))
  return [...words].map(([text, rows]) => {
    const code = text.toUpperCase()
    return { text, rows, currency: before.get(text) ?? (known.includes(code) ? code : null) }
  })
}

/** What the rows of all files are converted by. */
export interface Conversion {
  /** The day in the zone of the plan. */
  readonly today: string
  readonly currencies: readonly string[]
  readonly stages: readonly KnownStage[]
  readonly customFields: ReadonlyMap<string, readonly CustomColumn[]>
}

/** Reads what the rows of files are converted by. */
export async function readConversion(
  db: Executor,
  context: CrmContext,
  entityTypes: readonly string[],
  settings: PlanSettings,
): Promise<Conversion> {
  return {
    today: today(context.at, settings.zone),
    currencies: await readCurrencies(db, context),
    stages: await readStages(db, context),
    customFields: await readCustomFields(db, context, entityTypes, settings.customFields),
  }
}

const orders = { DAY_FIRST: 'day first', MONTH_FIRST: 'month first' } as const
const decimals = { POINT: '.', COMMA: ',' } as const

/** Returns how the rows of a file become records. */
export function rowPlanOf(
  kind: TransferredEntity,
  plan: FilePlan,
  settings: PlanSettings,
  { today: day, currencies: known, stages: knownStages, customFields }: Conversion,
  { isKeyTitle }: Pick<typeof tables, 'isKeyTitle'>,
): RowPlan {
  const targets = targetsOf(kind, customFields.get(kind) ?? [])
  const owners = new Map(settings.owners.map(({ text, employeeId }) => [text, employeeId]))
  const words = new Map(settings.stages.map((word) => [wordKey(word), word.stageId]))
  const money = new Map(settings.currencies.map(({ text, currency }) => [text, currency]))
  const ofColumn = ({ at, header, field, format, onMissing }: MigrationColumnPlan): RowPlan['columns'] => {
    const target = field === null ? undefined : targets.get(field)
    if (!target) return []
    return [
      {
        at,
        header,
        target,
        format: formatOf(plan, format),
        onMissing: onMissing ?? 'EMPTY',
        isKey: isKeyTitle(header),
      },
    ]
  }
  return {
    entityType: kind,
    columns: plan.columns.flatMap(ofColumn),
    constants: Object.entries(plan.constants).flatMap(([field, text]) => {
      const target = targets.get(field)
      return target ? [{ target, text }] : []
    }),
    country: settings.defaultCountry ?? undefined,
    zone: settings.zone,
    today: day,
    currencies: known,
    onBadCell: settings.onBadCell,
    takesPlainNumbers: false,
    defaultOwnerId: settings.defaultOwnerId,
    ownerOf: (text) => owners.get(text),
    stageOf: (pipeline, text) => words.get(wordKey({ kind, pipeline, text })),
    currencyOf: (text) => money.get(text),
    stageTypes: new Map(knownStages.map(({ id, type }) => [id, type])),
  }
}

/** Returns how the rows of a single import become records: what is wrong with a cell fails its row, and nothing is made of names. */
export function rowPlanOfImport(
  kind: TransferredEntity,
  header: readonly string[],
  mapping: Readonly<Record<string, string>>,
  settings: PlanSettings,
  { today: day, currencies: known, stages: knownStages, customFields }: Conversion,
  { isKeyTitle }: Pick<typeof tables, 'isKeyTitle'>,
): RowPlan {
  const targets = targetsOf(kind, customFields.get(kind) ?? [])
  const nothing = (): undefined => undefined
  return {
    entityType: kind,
    columns: header.flatMap((title, at) => {
      const target = targets.get(mapping[title] ?? '')
      return target
        ? [{ at, header: title, target, format: {}, onMissing: 'FAIL' as const, isKey: isKeyTitle(title) }]
        : []
    }),
    constants: [],
    country: settings.defaultCountry ?? undefined,
    zone: settings.zone,
    today: day,
    currencies: known,
    onBadCell: 'SKIP_ROW',
    takesPlainNumbers: true,
    defaultOwnerId: settings.defaultOwnerId,
    ownerOf: nothing,
    stageOf: nothing,
    currencyOf: nothing,
    stageTypes: new Map(knownStages.map(({ id, type }) => [id, type])),
  }
}

function formatOf(file: FilePlan, { phones, currency, ...own }: MigrationColumnPlan['format']) {
  const order = own.order ?? file.order
  const decimal = own.decimal ?? file.decimal
  return {
    ...(order ? { order: orders[order] } : {}),
    ...(decimal ? { decimal: decimals[decimal] } : {}),
    ...(phones ? { phones: phones === 'INTERNATIONAL' ? ('international' as const) : ('national' as const) } : {}),
    ...(currency ? { currency } : {}),
  }
}

/** The files of a plan after a change, and those that have to be read anew. */
export interface ChangedPlan {
  readonly files: readonly PlannedFile[]
  readonly anew: ReadonlySet<string>
  readonly settings: PlanSettings
}

/**
 * Changes a plan.
 * @throws ApiError VALIDATION_ERROR for fields that are not there or that two columns cannot fill
 */
export function changePlan(
  context: CrmContext,
  files: readonly PlannedFile[],
  settings: PlanSettings,
  change: MigrationPlanChange,
  customFields: ReadonlyMap<string, readonly CustomColumn[]>,
  reader: Pick<typeof tables, 'isKeyTitle' | 'encodings'>,
): ChangedPlan {
  const issues: Issue[] = []
  const anew = new Set<string>()
  const changes = new Map((change.files ?? []).map((file, at) => [file.id, { file, at }]))
  for (const [id, { at }] of changes)
    if (!files.some(({ row }) => row.id === id))
      issues.push({ path: ['plan', 'files', String(at), 'id'], message: 'The migration has no such file' })
  const changed = files.map(({ row, plan }): PlannedFile => {
    const wish = changes.get(row.id)
    if (!wish) return { row, plan }
    const path = ['plan', 'files', String(wish.at)]
    const { id: _id, columns = [], ...rest } = wish.file
    const given = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    ) as Partial<FilePlan>
    issues.push(...issuesOfFile(context, plan, given, path, reader))
    if (isReadAnew(plan, given)) anew.add(row.id)
    const next = { ...plan, ...given }
    const planned = changeColumns(context, next, columns, customFields, path, issues, reader)
    return { row, plan: { ...next, columns: planned } }
  })
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  return { files: changed, anew, settings: changeSettings(settings, change) }
}

function isReadAnew(plan: FilePlan, given: Partial<FilePlan>): boolean {
  return (['encoding', 'sheet', 'kind'] as const).some(
    (name) => given[name] !== undefined && given[name] !== plan[name],
  )
}

function issuesOfFile(
  { caller }: CrmContext,
  plan: FilePlan,
  { kind, sheet, encoding }: Partial<FilePlan>,
  path: readonly string[],
  { encodings }: Pick<typeof tables, 'encodings'>,
): readonly Issue[] {
  if (kind && !caller.effective.has(`CREATE_${kind}`)) throw permissionRequired(`CREATE_${kind}`)
  return [
    ...(sheet && !plan.sheets.includes(sheet)
      ? [{ path: [...path, 'sheet'], message: 'The workbook has no such sheet', values: plan.sheets }]
      : []),
    ...(encoding && (plan.encoding === null || !encodings.some((known) => known === encoding))
      ? [{ path: [...path, 'encoding'], message: 'There is no such encoding for this file', values: [...encodings] }]
      : []),
  ]
}

type ColumnChange = NonNullable<NonNullable<MigrationPlanChange['files']>[number]['columns']>[number]

function changeColumns(
  context: CrmContext,
  plan: FilePlan,
  changes: readonly ColumnChange[],
  customFields: ReadonlyMap<string, readonly CustomColumn[]>,
  path: readonly string[],
  issues: Issue[],
  reader: Pick<typeof tables, 'isKeyTitle'>,
): MigrationColumnPlan[] {
  const { kind } = plan
  if (kind === null || changes.length === 0) return plan.columns
  const targets = targetsOf(kind, customFields.get(kind) ?? [])
  const byPosition = new Map(changes.map((column, at) => [column.at, { column, at }]))
  const columns = plan.columns.map((column) => {
    const wish = byPosition.get(column.at)
    return wish
      ? changeColumn(context, kind, column, wish.column, targets, [...path, 'columns', String(wish.at)], issues, reader)
      : column
  })
  for (const [at, wish] of byPosition)
    if (!plan.columns.some((column) => column.at === at))
      issues.push({ path: [...path, 'columns', String(wish.at), 'at'], message: 'The file has no such column' })
  issues.push(...issuesOfTwins(columns, targets, path))
  return columns
}

function changeColumn(
  { caller }: CrmContext,
  kind: TransferredEntity,
  column: MigrationColumnPlan,
  { field = column.field, format = {}, onMissing }: ColumnChange,
  targets: ReadonlyMap<string, ColumnTarget>,
  path: readonly string[],
  issues: Issue[],
  reader: Pick<typeof tables, 'isKeyTitle'>,
): MigrationColumnPlan {
  const target = field === null ? undefined : targets.get(field)
  if (field !== null && !target)
    issues.push({ path: [...path, 'field'], message: 'There is no such field', values: [...targets.keys()] })
  const to = target && targetOf(target)
  if (onMissing === 'CREATE' && to && !(kindOf(to) && caller.effective.has(`CREATE_${to}`)))
    issues.push({ path: [...path, 'onMissing'], message: 'You cannot make what this column names' })
  const usual = target
    ? usualOnMissing(target, column.header, kind, (entity) => caller.effective.has(`CREATE_${entity}`), reader)
    : null
  const kept = field === column.field ? column.onMissing : usual
  return {
    ...column,
    field,
    confidence: field === column.field ? column.confidence : 1,
    format: { ...column.format, ...format },
    onMissing: to === undefined ? null : (onMissing ?? kept),
  }
}

function issuesOfTwins(
  columns: readonly MigrationColumnPlan[],
  targets: ReadonlyMap<string, ColumnTarget>,
  path: readonly string[],
): readonly Issue[] {
  const byField = Map.groupBy(
    columns.filter(({ field }) => field !== null),
    ({ field }) => field ?? '',
  )
  return [...byField].flatMap(([field, of]) => {
    const target = targets.get(field)
    return of.length < 2 || !target || takesSeveral(target)
      ? []
      : [{ path: [...path, 'columns'], message: `Two columns cannot fill ${field}` }]
  })
}

/** Several columns can have further addresses, or name one record by key and by name. */
export function takesSeveral(target: ColumnTarget): boolean {
  return target.takesSeveral || ['email', 'phone', 'reference'].includes(target.field.type)
}

function changeSettings(settings: PlanSettings, change: MigrationPlanChange): PlanSettings {
  const { files: _files, stages: moved = [], owners = [], currencies: money = [], ...rest } = change
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<PlanSettings>
  const stageOf = new Map(moved.map((word) => [wordKey(word), word.stageId]))
  const ownerOf = new Map(owners.map(({ text, employeeId }) => [text, employeeId]))
  const currencyOf = new Map(money.map(({ text, currency }) => [text, currency]))
  return {
    ...settings,
    ...given,
    stages: settings.stages.map((word) => ({ ...word, stageId: changed(stageOf, wordKey(word), word.stageId) })),
    owners: settings.owners.map((word) => ({ ...word, employeeId: changed(ownerOf, word.text, word.employeeId) })),
    currencies: settings.currencies.map((word) => ({
      ...word,
      currency: changed(currencyOf, word.text, word.currency),
    })),
  }
}

function changed<Value>(decided: ReadonlyMap<string, Value>, key: string, before: Value): Value {
  return decided.has(key) ? (decided.get(key) as Value) : before
}

/** Returns a file as the API shows it. */
export function shownFile({ row, plan }: PlannedFile): MigrationFilePlan {
  return { id: row.id, name: row.fileName, bytes: row.bytes, ...plan }
}
