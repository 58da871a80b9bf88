import type { MigrationColumnPlan, MigrationFilePlan, TransferredEntity } from '@crm/contract'
import type { Executor } from '@crm/db'
import { sentenceOfFileProblem, type FileProblem } from '@crm/errors'
import type * as tables from '@crm/tables'
import type { Cell, ColumnCell, ColumnGuess, Encoding, Header, PackedTables, Row, SingleFile } from '@crm/tables'
import pLimit from 'p-limit'
import { kinds as allKinds, type Kind } from '@crm/model'
import { targetsOf } from './moving.columns.ts'
import { partOf, takesLines } from './moving.parts.ts'
import { fileTitle, planColumns, proposeKind, type ProposedKind, type SeenColumn } from './moving.proposals.ts'
import { forgetRows, keepRows, type ArrivingRow, type FilePlan, type MigrationKey } from './moving.repository.ts'
import type { CustomFieldDefinition } from '../../records/custom-field-values.ts'

/** What is known of the workspace that a file comes into. */
export interface Surroundings {
  readonly country: string | undefined
  readonly currencies: readonly string[]
  readonly kinds: readonly TransferredEntity[]
  customFieldsOf(entityType: string): readonly CustomFieldDefinition[]
  mayCreate(entityType: string): boolean
}

/** What somebody decided of a file before it is read. */
export type FileWish = Partial<Pick<MigrationFilePlan, 'kind' | 'encoding' | 'sheet' | 'constants'>>

/** A file on its way: where its rows are kept, and what it is called. */
export interface ArrivingFile {
  readonly key: MigrationKey
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

const keptAtOnce = 1_000
/** So many rows show what a column holds; what comes later is judged row by row. */
const rowsJudged = 20_000
const headerWithin = 50
const skippedShown = 20
const previewLines = 5
const encodingsShown = 8

/** One workbook is in memory at a time. */
const inTurn = pLimit(1)

/** What a file is: a table with a plan, or an archive of files. */
export type Analysed = { readonly plan: FilePlan } | { readonly packed: PackedTables }

/** Reads a file: keeps its rows, and returns what it most probably is. */
export function analyseFile(db: Executor, file: ArrivingFile, wish: FileWish, around: Surroundings): Promise<Analysed> {
  return inTurn(async () => {
    const reader = await import('@crm/tables')
    await forgetRows(db, file.key)
    try {
      const opened = await reader.openFile(file.content)
      if (opened.form === 'archive') return { packed: opened }
      return { plan: await readFile(db, file, opened, wish, around, reader) }
    } catch (error) {
      if (error instanceof reader.TableError) return { plan: problemPlan(error) }
      throw error
    }
  })
}

/** The plan of a file of which nothing is known. */
export const emptyPlan: FilePlan = {
  kind: null,
  part: null,
  confidence: 0,
  constants: {},
  sheet: null,
  sheets: [],
  encoding: null,
  encodings: [],
  previews: [],
  order: null,
  orders: [],
  decimal: null,
  decimals: [],
  headerLine: null,
  rows: 0,
  skippedRows: 0,
  skipped: [],
  columns: [],
  problem: null,
  problemCode: null,
  problemValues: {},
}

/** The plan of a file that cannot be read, or of which something is left out. */
export function problemPlan({ code, values }: FileProblem): FilePlan {
  const problem = { code, values: { ...values } }
  return { ...emptyPlan, problem: sentenceOfFileProblem(problem), problemCode: code, problemValues: problem.values }
}

type Reader = typeof tables

async function readFile(
  db: Executor,
  { key, name }: ArrivingFile,
  opened: SingleFile,
  wish: FileWish,
  around: Surroundings,
  reader: Reader,
): Promise<FilePlan> {
  const content = contentOf(opened, wish)
  const seen = new SeenRows()
  await keepAll(db, key, reader.readRows(opened, partRead(content)), seen, reader)
  if (!seen.header) return { ...problemPlan({ code: 'NO_ROWS', values: {} }), ...content }
  const columns = seen.columns(around, reader)
  const kinds = around.kinds.map((entityType): ProposedKind => ({
    entityType,
    targets: targetsOf(entityType, around.customFieldsOf(entityType)),
  }))
  const lines = wish.kind === undefined ? partOf(columns.map(({ guess }) => guess.title)) : undefined
  const owner = lines && takesLines(lines) ? kinds.find(({ entityType }) => entityType === lines.entity) : undefined
  if (wish.kind === undefined && !owner && (lines || isOfOtherKind(name, reader)))
    return { ...problemPlan({ code: 'OTHER_RECORDS', values: {} }), ...content }
  const proposed =
    wish.kind !== undefined
      ? { kind: wish.kind, confidence: 1 }
      : owner && lines
        ? { kind: null, confidence: 1, part: { kind: owner.entityType, field: lines.field } }
        : proposeKind(name, columns, kinds, reader)
  const kind = kinds.find(({ entityType }) => entityType === proposed.kind)
  const formats = formatsOf(columns)
  return {
    ...emptyPlan,
    ...content,
    ...proposed,
    constants: wish.constants ?? usualConstants(kind, name, columns, reader),
    previews: previewsOf(opened, content.encodings, reader),
    ...formats,
    headerLine: seen.header.line,
    rows: seen.records,
    skippedRows: seen.skippedRows,
    skipped: [...seen.skipped],
    columns: withOwnFormats(
      planColumns(columns, kind, (entityType) => around.mayCreate(entityType), reader),
      columns,
      formats,
    ),
  }
}

/** Whether a file is that of a kind that does not move. */
function isOfOtherKind(fileName: string, reader: Reader): boolean {
  const name = fileTitle(fileName, reader)
  return Object.values(allKinds).some(({ stem, transferred }: Kind) => !transferred && reader.titleKey(stem) === name)
}

/** What of a file is read, and how. */
interface FileContent {
  readonly sheet: string | null
  readonly sheets: string[]
  readonly encoding: string | null
  readonly encodings: string[]
}

function contentOf(opened: SingleFile, wish: FileWish): FileContent {
  if (opened.form === 'workbook') {
    const sheets = opened.sheets.map(({ name }) => name)
    const usual = opened.sheets.find(({ isHidden }) => !isHidden)?.name ?? sheets[0] ?? null
    return {
      sheet: wish.sheet && sheets.includes(wish.sheet) ? wish.sheet : usual,
      sheets,
      encoding: null,
      encodings: [],
    }
  }
  const { likely, isSure } = opened.encoding
  const encodings = (isSure ? likely.slice(0, 1) : likely.slice(0, encodingsShown)).map(String)
  return { sheet: null, sheets: [], encoding: wish.encoding ?? encodings[0] ?? null, encodings }
}

function partRead({ sheet, encoding }: FileContent): { readonly sheet?: string; readonly encoding?: Encoding } {
  return { ...(sheet === null ? {} : { sheet }), ...(encoding === null ? {} : { encoding: encoding as Encoding }) }
}

function previewsOf(opened: SingleFile, encodings: readonly string[], reader: Reader): MigrationFilePlan['previews'] {
  if (opened.form === 'workbook' || encodings.length < 2) return []
  return reader
    .differentLines(opened.bytes, encodings as readonly Encoding[], previewLines)
    .map(({ line, texts }) => ({ line, texts: { ...texts } as Record<string, string> }))
}

/** Keeps the rows below the header as they come, and looks at the first of them. */
async function keepAll(
  db: Executor,
  key: MigrationKey,
  rows: AsyncIterable<Row>,
  seen: SeenRows,
  reader: Reader,
): Promise<void> {
  let first: Row[] | undefined = []
  let waiting: ArrivingRow[] = []
  const take = async (row: Row): Promise<void> => {
    const kept = seen.take(row)
    if (kept) waiting.push(kept)
    if (waiting.length < keptAtOnce) return
    await keepRows(db, key, waiting)
    waiting = []
  }
  const settle = async (some: readonly Row[]): Promise<void> => {
    seen.begin(some, reader)
    for (const row of some) await take(row)
  }
  for await (const row of rows) {
    if (!first) {
      await take(row)
      continue
    }
    first.push(row)
    if (first.length < headerWithin) continue
    await settle(first)
    first = undefined
  }
  if (first) await settle(first)
  await keepRows(db, key, waiting)
}

/** The rows of a file as they come by: which of them are records, and what stands in the first ones. */
class SeenRows {
  header: Header | undefined
  records = 0
  skippedRows = 0
  readonly skipped: MigrationFilePlan['skipped'] = []
  #judge: ReturnType<Reader['rowJudge']> | undefined
  readonly #cells: ColumnCell[][] = []

  begin(first: readonly Row[], { headerOf, rowJudge }: Reader): void {
    this.header = headerOf(first)
    if (!this.header) return
    this.#judge = rowJudge(this.header)
    for (const { line, text } of this.header.above) this.#skip({ line, code: null, text })
  }

  /** Returns a row as it is kept; undefined for one that is no record. */
  take(row: Row): ArrivingRow | undefined {
    if (!this.header || !this.#judge || row.line <= this.header.line) return undefined
    const judged = this.#judge(row)
    if (judged.is === 'skipped') {
      this.#skip({ line: row.line, code: judged.code, text: shownText(row) })
      return undefined
    }
    this.records += 1
    const kept = arriving(row, this.header.titles.length)
    if (judged.is === 'record') {
      this.#look(row)
      return kept
    }
    const { code, values } = judged
    return { ...kept, problems: [{ code, values, at: null, field: null, isRow: true }] }
  }

  columns({ country, currencies }: Surroundings, { guessColumn, settleFormats }: Reader): readonly SeenColumn[] {
    const guesses = (this.header?.titles ?? []).map((title, at) =>
      guessColumn(title, this.#cells[at] ?? [], { currencies, ...(country ? { country } : {}) }),
    )
    return settleFormats(guesses).map((guess, at) => ({
      at,
      guess,
      filled: (this.#cells[at] ?? []).length,
      lostLetters: hasLostLetters(this.#cells[at] ?? []),
    }))
  }

  #skip(line: MigrationFilePlan['skipped'][number]): void {
    if (line.code !== 'EMPTY_ROW') this.skippedRows += 1
    if (this.skipped.length < skippedShown && line.code !== 'EMPTY_ROW') this.skipped.push(line)
  }

  #look({ line, cells }: Row): void {
    if (this.records > rowsJudged) return
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const seen = this.#cells[at] ?? []
      this.#cells[at] = seen
      seen.push({ line, cell })
    }
  }
}

const shownCharacters = 200

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell.trim() : cell.text
}

function shownText({ cells }: Row): string {
  return cells.map(textOf).filter(Boolean).join(' ').slice(0, shownCharacters).toWellFormed()
}

function arriving({ line, cells }: Row, width: number): ArrivingRow {
  const texts = cells.slice(0, width).map(textOf)
  const typed = cells
    .slice(0, width)
    .flatMap((cell, at) => (typeof cell === 'string' ? [] : [[String(at), cell] as const]))
  return { line, cells: texts, ...(typed.length > 0 ? { typed: Object.fromEntries(typed) } : {}) }
}

/** Programs that could not write a letter put a question mark in its place. */
function hasLostLetters(cells: readonly ColumnCell[]): boolean {
  return cells.some(({ cell }) => typeof cell === 'string' && /\p{L}\?\p{L}/u.test(cell) && !/[/:=&]/.test(cell))
}

const orderCodes = { 'day first': 'DAY_FIRST', 'month first': 'MONTH_FIRST' } as const
const decimalCodes = { '.': 'POINT', ',': 'COMMA' } as const

type Formats = Pick<FilePlan, 'order' | 'orders' | 'decimal' | 'decimals'>

/** Returns the one order of dates and the one decimal sign of a file, or what there is to choose from. */
function formatsOf(columns: readonly SeenColumn[]): Formats {
  const guesses = columns.map(({ guess }) => guess)
  const orders = settled(
    guesses,
    ({ orders }) => orders,
    ({ format }) => format.order,
  )
  const decimals = settled(
    guesses,
    ({ decimals }) => decimals,
    ({ format }) => format.decimal,
  )
  return {
    order: orders.one ? orderCodes[orders.one] : null,
    orders: orders.all.map((order) => orderCodes[order]),
    decimal: decimals.one ? decimalCodes[decimals.one] : null,
    decimals: decimals.all.map((sign) => decimalCodes[sign]),
  }
}

/** Gives columns that contradict one another each the format that it alone allows: no format of the file could read all of them. */
function withOwnFormats(
  planned: readonly MigrationColumnPlan[],
  columns: readonly SeenColumn[],
  { order, decimal }: Formats,
): MigrationColumnPlan[] {
  const guesses = columns.map(({ guess }) => guess)
  return planned.map((column, at) => {
    const { orders = [], decimals = [] } = guesses[at] ?? {}
    const [ownOrder, ownDecimal] = [onlyOne(orders), onlyOne(decimals)]
    const own = {
      ...(order === null && ownOrder ? { order: orderCodes[ownOrder] } : {}),
      ...(decimal === null && ownDecimal ? { decimal: decimalCodes[ownDecimal] } : {}),
    }
    return { ...column, format: { ...column.format, ...own } }
  })
}

function onlyOne<Format>(allowed: readonly Format[]): Format | undefined {
  return allowed.length === 1 ? allowed[0] : undefined
}

/** Returns the one format of all columns, where they agree, and else what those allow that do not say it themselves. */
function settled<Format>(
  guesses: readonly ColumnGuess[],
  allowed: (guess: ColumnGuess) => readonly Format[],
  chosen: (guess: ColumnGuess) => Format | undefined,
): { readonly one: Format | undefined; readonly all: readonly Format[] } {
  const open = guesses.filter((guess) => allowed(guess).length > 0)
  const fixed = new Set(open.flatMap((guess) => (allowed(guess).length === 1 ? allowed(guess) : [])))
  if (fixed.size === 1) return { one: [...fixed][0], all: [...fixed] }
  const undecided = open.filter((guess) => chosen(guess) === undefined)
  if (fixed.size > 1) return { one: undefined, all: undecided.length > 0 ? [...fixed] : [] }
  const [first] = open
  return undecided.length === 0
    ? { one: first && chosen(first), all: first ? [chosen(first) as Format] : [] }
    : { one: undefined, all: [...new Set(undecided.flatMap(allowed))] }
}

/** Of files with one type of activity only, their name tells which. */
function usualConstants(
  kind: ProposedKind | undefined,
  fileName: string,
  columns: readonly SeenColumn[],
  reader: Reader,
): Record<string, string> {
  const type = kind?.targets.get('type')
  const values = type?.isRequired ? (type.field.rules.values ?? []) : []
  if (!kind || values.length === 0) return {}
  const name = ` ${fileTitle(fileName, reader)} ${columns.map(({ guess }) => reader.titleKey(guess.title)).join(' ')} `
  const found = values.find((value) =>
    [value.toLowerCase(), ...(reader.choiceWords[value] ?? [])].some(
      (word) => name.includes(` ${word} `) || name.includes(` ${word}s `),
    ),
  )
  const [usual = ''] = found ? [found] : values.slice(-1)
  return { type: usual }
}
