import type { TransferredEntity } from '@crm/contract'
import { isId, type RowProblem } from '@crm/db'
import type { CellProblem } from '@crm/errors'
import { fieldsOf, kindOf, type Target } from '@crm/model'
import type * as tables from '@crm/tables'
import { valuesIn } from '@crm/tables/several'
import type { Cell, CellValue, ColumnFormat, Refused } from '@crm/tables'
import type { Past } from '../../records/owned/write.ts'
import type { StagedRow } from './imports.repository.ts'
import { comingId, keysOf, type RowKey } from './moving.finds.ts'
import { pairsIn } from './transfers.pairs.ts'
import { customNumbers, isLongText, type ColumnTarget } from './moving.columns.ts'

/** What a column of a file becomes. */
interface PlannedColumn {
  readonly at: number
  readonly header: string
  readonly target: ColumnTarget
  readonly format: ColumnFormat
  readonly onMissing: 'CREATE' | 'EMPTY' | 'SKIP' | 'FAIL'
  /** Whether it has keys of other records, not their names. */
  readonly isKey: boolean
}

/** How the rows of a file become records. */
export interface RowPlan {
  readonly entityType: TransferredEntity
  readonly columns: readonly PlannedColumn[]
  readonly constants: readonly { readonly target: ColumnTarget; readonly text: string }[]
  readonly country: string | undefined
  readonly zone: string
  /** The day there. */
  readonly today: string
  readonly currencies: readonly string[]
  readonly onBadCell: 'EMPTY' | 'SKIP_ROW'
  /** Whether numbers may be written as the API writes them, whatever else they could be. */
  readonly takesPlainNumbers: boolean
  readonly defaultOwnerId: string
  /** The person behind a word of the file; null for somebody who is not here, undefined for a word that nobody decided. */
  ownerOf(text: string): string | null | undefined
  stageOf(pipeline: string | null, text: string): string | null | undefined
  currencyOf(text: string): string | null | undefined
  /** The types of stages, by id: a deal that is won stands in a stage that wins. */
  readonly stageTypes: ReadonlyMap<string, string>
}

/** Finds what a cell names: ids, none or several. */
export type Find = (target: Target, text: string) => readonly string[]

/** What a row says of a record. */
export interface ConvertedRow {
  readonly line: number
  /** As a new record is sent. */
  readonly body: Readonly<Record<string, unknown>>
  readonly past: Past
  readonly externalId: string | undefined
  readonly keys: readonly RowKey[]
  /** Records that cells name and that are to be made, by field. */
  readonly wanted: readonly { readonly field: string; readonly to: Target; readonly text: string }[]
  /** The fields of records that other rows become, in a trial. */
  readonly coming: ReadonlySet<string>
  readonly problems: readonly RowProblem[]
  /** Whether the row comes in. */
  readonly outcome: 'READY' | 'SKIPPED' | 'FAILED'
}

type Reader = Pick<typeof tables, 'valueOfCell' | 'cleaned' | 'isEmpty' | 'choiceWords'>

/** A row on its way: what was read so far. */
interface Draft {
  readonly body: Record<string, unknown>
  readonly past: Record<string, unknown>
  readonly wanted: { field: string; to: Target; text: string }[]
  readonly coming: Set<string>
  readonly problems: RowProblem[]
  /** Lines for the long text of the record: what no field has a place for. */
  readonly besides: string[]
  outcome: ConvertedRow['outcome']
}

interface Filled extends PlannedColumn {
  readonly cell: Cell
  readonly text: string
}

/** Returns the cells of a stored row, with the values of a spreadsheet as such. */
function cellsOf({ cells, typed }: Pick<StagedRow, 'cells' | 'typed'>): readonly Cell[] {
  return cells.map((text, at) => typed?.[at] ?? text)
}

/** Returns the texts of a row that name other things, by what they name. */
export function namedIn(
  row: StagedRow,
  plan: RowPlan,
  { cleaned, isEmpty }: Reader,
): readonly (readonly [Target, string])[] {
  return plan.columns.flatMap((column): readonly (readonly [Target, string])[] => {
    const to = column.target.field.rules.to
    const text = cleaned(row.cells[column.at] ?? '')
    if (to === undefined || isEmpty(text)) return []
    const texts = isSeveral(column.target) ? partsOf(text) : wordsIn(text, column.isKey)
    return texts.map((one) => [to, one] as const)
  })
}

const isSeveral = ({ field: { type } }: ColumnTarget): boolean => type === 'references'

function partsOf(text: string): readonly string[] {
  return valuesIn(text, false).map(keyText).filter(Boolean)
}

/** A cell of keys can hold several where only one record can be named; the first that is here counts. */
function wordsIn(text: string, isKey: boolean): readonly string[] {
  const parts = isKey ? partsOf(text) : []
  return [keyText(text), ...(parts.length > 1 ? parts : [])]
}

/** Zoho writes the name of its program before keys. */
function keyText(text: string): string {
  return text.trim().replace(/^zcrm_/, '')
}

/** Converts a row; what cannot be read is a problem of its cell, and the rest comes in. */
export function convertRow(row: StagedRow, plan: RowPlan, find: Find, reader: Reader): ConvertedRow {
  const cells = cellsOf(row)
  const filled = plan.columns.flatMap((column): readonly Filled[] => {
    const cell = cells[column.at] ?? ''
    const text = reader.cleaned(typeof cell === 'string' ? cell : cell.text)
    return reader.isEmpty(text) ? [] : [{ ...column, cell, text }]
  })
  const draft: Draft = {
    body: {},
    past: {},
    wanted: [],
    coming: new Set(),
    problems: [],
    besides: [],
    outcome: 'READY',
  }
  const pipeline = filled.find(({ target }) => target.name === 'pipelineId')?.text ?? null
  const findHere: Find = (target, text) => foundHere(target, text, pipeline, plan, find)
  for (const { target, text } of plan.constants)
    fill(
      draft,
      [{ at: -1, header: '', target, format: {}, onMissing: 'EMPTY', isKey: false, cell: text, text }],
      plan,
      findHere,
      reader,
    )
  for (const columns of Map.groupBy(withoutWholeName(filled), ({ target }) => target.name).values())
    fill(draft, columns, plan, findHere, reader)
  return finished(row, plan, draft)
}

/** A name in one cell says nothing beside its parts, which only some rows of a file may have. */
function withoutWholeName(filled: readonly Filled[]): readonly Filled[] {
  const hasParts = filled.some(({ target: { name } }) => name === 'firstName' || name === 'lastName')
  return hasParts ? filled.filter(({ target }) => target.name !== 'fullName') : filled
}

function foundHere(
  target: Target,
  text: string,
  pipeline: string | null,
  plan: RowPlan,
  find: Find,
): readonly string[] {
  const key = keyText(text)
  const decided =
    target === 'EMPLOYEE' ? plan.ownerOf(key) : target === 'STAGE' ? plan.stageOf(pipeline, key) : undefined
  return decided ? [decided] : find(target, key)
}

function fill(draft: Draft, columns: readonly Filled[], plan: RowPlan, find: Find, reader: Reader): void {
  const [first] = columns
  if (!first) return
  const { target } = first
  if (target.name === 'fullName') return fillName(draft, first.text)
  if (target.field.rules.to !== undefined && target.field.type === 'reference')
    return fillReference(draft, columns, plan, find, reader)
  if (!target.custom && isLongText(target.field)) return fillLongText(draft, columns, plan, find, reader)
  for (const column of target.takesSeveral || isPoint(target) ? columns : [first]) {
    const value = read(draft, column, plan, find, reader)
    if (value) put(draft, column, value, plan)
  }
}

const isPoint = ({ field: { type } }: ColumnTarget): boolean => type === 'phone' || type === 'email'

function read(draft: Draft, column: Filled, plan: RowPlan, find: Find, reader: Reader): CellValue | undefined {
  const { target } = column
  const format =
    plan.takesPlainNumbers && plainNumber.test(column.text)
      ? { decimal: '.' as const, ...column.format }
      : column.format
  const reading = reader.valueOfCell(meantCell(column), target.field, {
    format,
    zone: plan.zone,
    currencies: plan.currencies,
    ...(plan.country ? { country: plan.country } : {}),
    choices:
      target.choices ??
      (target.field.rules.values ?? []).map((value) => ({ value, labels: reader.choiceWords[value] ?? [] })),
    find,
  })
  if (!('problem' in reading)) return reading.value
  if (target.field.type === 'currency' && plan.currencyOf(column.text)) return { value: plan.currencyOf(column.text) }
  note(draft, column, reading, plan.onBadCell === 'SKIP_ROW')
  return undefined
}

/** The types of fields whose texts are written in several ways. */
const writtenVariously: ReadonlySet<string> = new Set(['day', 'instant', 'money', 'integer', 'percent'])

/** Returns how a plan reads texts of a column; undefined for a column whose texts are written in one way. */
export function readsOf(
  { target, format }: PlannedColumn,
  texts: readonly string[],
  { zone, currencies }: Pick<RowPlan, 'zone' | 'currencies'>,
  { valueOfCell }: Pick<Reader, 'valueOfCell'>,
): (string | null)[] | undefined {
  if (!writtenVariously.has(target.field.type)) return undefined
  return texts.map((cell) => {
    const reading = valueOfCell(meantCell({ target, cell }), target.field, { format, zone, currencies })
    if ('problem' in reading) return null
    const { value } = reading.value
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  })
}

/** A number as the API writes it. */
const plainNumber = /^-?\d+(?:\.\d+)?$/

/** Programs write a time beside days, and a sign beside percentages; what is meant is the day or the number that they show. */
function meantCell({ target, cell }: Pick<Filled, 'target' | 'cell'>): Cell {
  if (target.custom?.type === 'PERCENTAGE' && typeof cell === 'string')
    return cell.trimEnd().replace(/%$/, '').trimEnd()
  if (target.field.type !== 'day') return cell
  if (typeof cell !== 'string') return cell.type === 'moment' ? { type: 'day', text: cell.text.slice(0, 10) } : cell
  return cell.replace(/(?<![T\s,])[T\s,]+\d{1,2}[:.]\d{2}(?:[:.]\d{2})?[^]*/u, '')
}

function note(
  draft: Draft,
  { at, target }: Pick<Filled, 'at' | 'target'>,
  { code, values }: CellProblem,
  isRow: boolean,
): void {
  draft.problems.push({ code, values, at: at < 0 ? null : at, field: target.name, isRow })
  if (isRow && draft.outcome === 'READY') draft.outcome = 'FAILED'
}

function put(draft: Draft, column: Filled, cell: CellValue, plan: RowPlan): void {
  const { target, header } = column
  const { value } = cell
  const { name, custom } = target
  if (value === null) return
  if (custom?.isComing) return void draft.coming.add('customFields')
  if (custom) return putCustom(draft, custom.key, customNumbers.includes(custom.type) ? Number(value) : value)
  if (target.pairs) return putPairs(draft, column, column.text, target.pairs, plan)
  if (isCarried(plan.entityType, name)) return void (draft.past[name] = value)
  const [, linked] = /^links\.(\w+)$/.exec(name) ?? []
  if (linked) return putLinks(draft, linked, value as readonly string[])
  const [, address, part] = /^(\w+)\.(\w+)$/.exec(name) ?? []
  if (address && part) return void (draft.body[address] = { ...(draft.body[address] as object), [part]: value })
  if (isPoint(target))
    return putPoint(draft, name, header, [value as string, ...(cell.further ?? [])], cell.extension, plan)
  if (cell.currency && !plan.columns.some((one) => one.target.name === 'currency'))
    putCurrency(draft, cell.currency, plan)
  const present = draft.body[name]
  draft.body[name] =
    Array.isArray(value) && Array.isArray(present)
      ? [...new Set([...(present as unknown[]), ...(value as unknown[])])]
      : value
}

function isCarried(entityType: string, name: string): boolean {
  return Boolean(fieldsOf(entityType)[name]?.rules.carried)
}

function putCustom(draft: Draft, key: string, value: unknown): void {
  draft.body['customFields'] = { ...(draft.body['customFields'] as object), [key]: value }
}

function putPairs(
  draft: Draft,
  column: Filled,
  text: string,
  pairs: NonNullable<ColumnTarget['pairs']>,
  plan: RowPlan,
): void {
  const value = pairsIn(text, pairs, pairs)
  if (value === undefined)
    return note(draft, column, { code: 'DOES_NOT_FIT', values: { text } }, plan.onBadCell === 'SKIP_ROW')
  draft.body[column.target.name] = value
}

function putLinks(draft: Draft, entityType: string, ids: readonly string[]): void {
  const known = (draft.body['links'] ?? []) as readonly object[]
  const links = ids.filter((id) => id !== comingId).map((entityId) => ({ entityType, entityId }))
  if (ids.includes(comingId)) draft.coming.add('links')
  if (links.length > 0) draft.body['links'] = [...known, ...links]
}

function putCurrency(draft: Draft, mark: string, plan: RowPlan): void {
  const code = plan.currencyOf(mark) ?? mark
  if ('currency' in fieldsOf(plan.entityType) && plan.currencies.includes(code)) draft.body['currency'] ??= code
}

/** The field for the further ones of an address or number, where the kind has one. */
const furtherOf: Readonly<Record<string, string>> = { email: 'emails', phone: 'phones' }

function putPoint(
  draft: Draft,
  name: string,
  header: string,
  values: readonly string[],
  extension: string | undefined,
  { entityType }: RowPlan,
): void {
  const fields = fieldsOf(entityType)
  const further = furtherOf[name] ?? ''
  const rest = draft.body[name] === undefined ? values.slice(1) : values
  if (draft.body[name] === undefined) {
    draft.body[name] = values[0]
    if (extension && 'phoneExtension' in fields) draft.body['phoneExtension'] = extension
  }
  if (rest.length === 0) return
  if (!(further in fields)) return void draft.besides.push(`${header}: ${rest.join('; ')}`)
  draft.body[further] = [...new Set([...((draft.body[further] as string[] | undefined) ?? []), ...rest])]
}

/** Parts the name of a person: “Lovelace, Ada”, or the last word as the family name. */
function fillName(draft: Draft, text: string): void {
  const [before = '', after] = text.split(',').map((part) => part.trim())
  const words = text.split(/\s+/)
  const [first, last] =
    after === undefined
      ? [words.slice(0, -1).join(' ') || words[0], words.length > 1 ? words.at(-1) : undefined]
      : [after, before]
  draft.body['firstName'] ??= first
  if (last) draft.body['lastName'] ??= last
}

function fillLongText(draft: Draft, columns: readonly Filled[], plan: RowPlan, find: Find, reader: Reader): void {
  const texts = columns.flatMap((column) => {
    const value = read(draft, column, plan, find, reader)?.value
    return typeof value === 'string' ? [columns.length > 1 ? `${column.header}: ${value}` : value] : []
  })
  const [first] = columns
  if (first && texts.length > 0) draft.body[first.target.name] = texts.join('\n')
}

/** A reference: the first of its columns that names something, keys before names. */
function fillReference(draft: Draft, columns: readonly Filled[], plan: RowPlan, find: Find, reader: Reader): void {
  const ordered = columns.toSorted((a, b) => Number(b.isKey) - Number(a.isKey))
  const refusals: { column: Filled; refused: Refused }[] = []
  for (const column of ordered) {
    const findAny: Find = (target) =>
      wordsIn(column.text, column.isKey)
        .map((word) => find(target, word))
        .find((ids) => ids.length > 0) ?? []
    const reading = reader.valueOfCell(column.cell, column.target.field, {
      format: {},
      zone: plan.zone,
      currencies: plan.currencies,
      find: findAny,
    })
    if (!('problem' in reading)) return putReference(draft, column, String(reading.value.value), plan)
    refusals.push({ column, refused: reading })
  }
  const named = refusals.toSorted((a, b) => Number(a.column.isKey) - Number(b.column.isKey))[0]
  if (named) putMissing(draft, named.column, named.refused, plan)
}

function putReference(draft: Draft, { target: { name } }: Filled, id: string, plan: RowPlan): void {
  if (id === comingId) return void draft.coming.add(name)
  if (isCarried(plan.entityType, name)) draft.past[name] = id
  else draft.body[name] = id
}

function putMissing(draft: Draft, column: Filled, refused: Refused, plan: RowPlan): void {
  const { target, onMissing, text, header, isKey } = column
  const { name, field } = target
  const { to } = field.rules
  if (onMissing === 'FAIL') return note(draft, column, refused, true)
  if (to === 'EMPLOYEE') return putStranger(draft, name, header, text, plan)
  if (to === 'STAGE' && plan.stageOf(null, keyText(text)) === null) return
  if (to !== undefined && onMissing === 'CREATE' && refused.code === 'NOT_FOUND' && !isKey)
    return void draft.wanted.push({ field: name, to, text: keyText(text) })
  note(draft, column, refused, false)
  if (onMissing === 'SKIP') draft.outcome = 'SKIPPED'
}

/** People who are not here: their name stays in the text of the record, and its owner is the one chosen. A key names nobody. */
function putStranger(draft: Draft, name: string, header: string, text: string, plan: RowPlan): void {
  if (header !== '' && !isId(text)) draft.besides.push(`${header}: ${text}`)
  if (!isCarried(plan.entityType, name)) draft.body[name] = plan.defaultOwnerId
}

function finished(row: StagedRow, plan: RowPlan, draft: Draft): ConvertedRow {
  const { entityType } = plan
  const { body, past, besides, wanted, coming, problems } = draft
  keepBesides(entityType, body, besides)
  settleTime(body, past, plan)
  settleClosing(body, past, plan)
  settleStage(body, past, plan)
  const { createdAt, createdById, externalId, ...set } = past as Readonly<Record<string, string | undefined>>
  const keys = keysOf(entityType, body, externalId)
  const saysNothing = keys.every(({ by }) => by === 'externalId') && !hasLongText(entityType, body)
  const outcome = draft.outcome === 'READY' && saysNothing ? 'SKIPPED' : draft.outcome
  const nothing: RowProblem = { code: 'NOTHING_TO_TELL_BY', values: {}, at: null, field: null, isRow: true }
  return {
    line: row.line,
    body,
    past: { set, ...(createdAt ? { createdAt } : {}), ...(createdById ? { createdById } : {}) },
    externalId,
    keys,
    wanted,
    coming,
    problems: saysNothing && problems.length === 0 ? [nothing] : problems,
    outcome,
  }
}

function longTextOf(entityType: string): string | undefined {
  return Object.entries(kindOf(entityType)?.fields ?? {}).find(([, field]) => isLongText(field))?.[0]
}

function hasLongText(entityType: string, body: Readonly<Record<string, unknown>>): boolean {
  const name = longTextOf(entityType)
  return name !== undefined && body[name] !== undefined
}

function keepBesides(entityType: string, body: Record<string, unknown>, besides: readonly string[]): void {
  const name = longTextOf(entityType)
  if (name === undefined || besides.length === 0) return
  body[name] = [...(typeof body[name] === 'string' ? [body[name]] : []), ...besides].join('\n')
}

/** A note, call or mail took place when it was written, unless the file says when; an export of ours says it with an empty cell too. */
function settleTime(body: Record<string, unknown>, past: Record<string, unknown>, plan: RowPlan): void {
  const fields = fieldsOf(plan.entityType)
  const isSaid = plan.columns.some(({ header }) => header === 'startAt')
  if ('startAt' in fields && !('dueAt' in fields) && !isSaid && past['createdAt'] !== undefined)
    body['startAt'] ??= past['createdAt']
}

/** A deal that is won or lost was closed on its close date, unless the file says when; many programs have no other day. */
function settleClosing(body: Record<string, unknown>, past: Record<string, unknown>, plan: RowPlan): void {
  const { stageId, status = plan.stageTypes.get(stageId as string), expectedCloseDate } = body
  if (!isCarried(plan.entityType, 'closedAt') || typeof expectedCloseDate !== 'string') return
  if ((status === 'WON' || status === 'LOST') && expectedCloseDate <= plan.today)
    past['closedAt'] ??= Temporal.PlainDate.from(expectedCloseDate)
      .toZonedDateTime(plan.zone)
      .toInstant()
      .toString({ smallestUnit: 'millisecond' })
}

/** Two columns may say where a record stands: what is closed is closed, and otherwise the stage counts. */
function settleStage(body: Record<string, unknown>, past: Record<string, unknown>, { stageTypes }: RowPlan): void {
  const { stageId, status } = body
  if (status === 'CONVERTED' || past['convertedAt'] !== undefined) {
    delete body['status']
    delete body['stageId']
    past['status'] = 'CONVERTED'
  } else if (stageId !== undefined && status !== undefined) {
    const isClosed = status === 'WON' || status === 'LOST'
    if (isClosed && stageTypes.get(stageId as string) !== status) delete body['stageId']
    else delete body['status']
  }
}
