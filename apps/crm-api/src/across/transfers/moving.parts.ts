import { migrationLinesMax, type MigrationPart } from '@crm/contract'
import { schema, type Executor, type RowProblem, type Transaction } from '@crm/db'
import { fieldsOf, kinds, kindOf, type Kind, type Target } from '@crm/model'
import type * as tables from '@crm/tables'
import { and, asc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { ImportKey, RowOutcome, StagedRow } from './imports.repository.ts'
import { layoutOf, parentColumn } from './exports.columns.ts'
import { comingId, findEarlierRows } from './moving.finds.ts'
import type { MigrationKey } from './moving.repository.ts'
import type { ConvertedRow, Find } from './moving.rows.ts'
import { bare } from './transfers.pairs.ts'

const { importRows } = schema

/** A file with the lines of records, such as the items of deals, and the titles of its columns. */
export interface PartFile extends ImportKey {
  readonly part: MigrationPart
  readonly titles: readonly string[]
}

/** The lines of records, by the key of the record, each as its cells. */
export type Lines = ReadonlyMap<string, readonly (readonly string[])[]>

type Reader = Pick<typeof tables, 'cleaned' | 'isEmpty'>

/** Returns whose lines a file has, by its titles: those that an export gives to the lines of a kind. */
export function partOf([first, ...titles]: readonly string[]):
  | { readonly entity: string; readonly field: string }
  | undefined {
  for (const { entity } of Object.values(kinds) as Kind[]) {
    if (parentColumn(entity) !== first) continue
    const part = layoutOf(entity, []).parts.find(({ columns }) => titles.every((one) => columns.includes(one)))
    if (part) return { entity, field: part.field }
  }
  return undefined
}

/** Whether a kind of record takes lines when it is made; others show them only. */
export function takesLines({ entity, field }: { readonly entity: string; readonly field: string }): boolean {
  return linesOf(entity, field) !== undefined
}

/** Returns the members of a line as they are sent. */
function linesOf(entity: string, field: string): Readonly<Record<string, z.ZodType>> | undefined {
  const { written } = fieldsOf(entity)[field] ?? {}
  const list = written && bare(written)
  const line = list instanceof z.ZodArray ? bare(list.element as z.ZodType) : undefined
  return line instanceof z.ZodObject ? line.shape : undefined
}

/** Reads the lines of some records. */
export async function readLines(db: Executor, { workspaceId, id }: ImportKey, keys: readonly string[]): Promise<Lines> {
  if (keys.length === 0) return new Map()
  const key = sql<string>`trim(${importRows.cells}[1])`
  const rows = await db
    .select({ key, cells: importRows.cells })
    .from(importRows)
    .where(
      and(
        eq(importRows.workspaceId, workspaceId),
        eq(importRows.importId, id),
        sql`${key} = ANY(${sql.param([...keys])}::text[])`,
      ),
    )
    .orderBy(asc(importRows.line))
    .limit(keys.length * migrationLinesMax)
  const byKey = Map.groupBy(rows, (row) => row.key)
  return new Map([...byKey].map(([one, of]) => [one, of.map(({ cells }) => cells)]))
}

/** Returns the texts of lines that name records, by the kind of record. */
export function namedInLines({ part, titles }: PartFile, lines: Lines): readonly (readonly [Target, string])[] {
  const rows = [...lines.values()].flat().map((cells) => valuesOf(titles, cells))
  return rows.flatMap((values) => targetsIn(part, values).map(({ to, text }) => [to, text] as const))
}

/** Adds its lines to a row, as the record is sent. */
export function withLines(row: ConvertedRow, file: PartFile, lines: Lines, find: Find, reader: Reader): ConvertedRow {
  const own = lines.get(row.externalId ?? '')
  if (!own) return row
  const problems: RowProblem[] = []
  const sent = own.map((cells) => lineOf(file, cells, find, reader, problems))
  return { ...row, body: { ...row.body, [file.part.field]: sent }, problems: [...row.problems, ...problems] }
}

function lineOf(
  { part, titles }: PartFile,
  cells: readonly string[],
  find: Find,
  { cleaned, isEmpty }: Reader,
  problems: RowProblem[],
): Record<string, unknown> {
  const members = linesOf(part.kind, part.field) ?? {}
  const texts = valuesOf(titles, cells)
  const line: Record<string, unknown> = {}
  for (const [name, schemaOf] of Object.entries(members)) {
    const text = cleaned(texts[name] ?? '')
    if (!isEmpty(text)) line[name] = bare(schemaOf) instanceof z.ZodBoolean ? text === 'true' : text
  }
  for (const { to, text, names } of targetsIn(part, texts)) {
    const ids = find(to, text)
    const [id] = ids.length === 1 ? ids : []
    for (const name of names) delete line[name]
    if (id === undefined)
      problems.push({ code: 'NOT_FOUND', values: { to, text }, at: null, field: part.field, isRow: false })
    else if (id !== comingId) for (const name of names) line[name] = name.endsWith('Id') ? id : to
  }
  return line
}

function valuesOf(titles: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(titles.map((title, at) => [title, (cells[at] ?? '').trim()]))
}

/** A record that a line names, and the members that name it. */
interface Named {
  readonly to: Target
  readonly text: string
  readonly names: readonly string[]
}

/** Returns what a line names: a member is called after its kind, or stands beside the kind. */
function targetsIn({ kind, field }: MigrationPart, values: Readonly<Record<string, string>>): readonly Named[] {
  const members = Object.keys(linesOf(kind, field) ?? {})
  return members.flatMap((name): readonly Named[] => {
    const text = values[name] ?? ''
    if (text === '' || !name.endsWith('Id')) return []
    const isAny = name === 'entityId'
    const to: string | undefined = isAny ? (values['entityType'] ?? '') : entityCalled(name)
    return to && kindOf(to) ? [{ to: to as Target, text, names: isAny ? ['entityType', name] : [name] }] : []
  })
}

function entityCalled(name: string): string | undefined {
  return (Object.values(kinds) as Kind[]).find(({ entity }) => parentColumn(entity) === name)?.entity
}

/** Returns what became of lines: they came with their records, which the same import brought, or not at all. */
export async function joinLines(
  tx: Transaction,
  migration: MigrationKey,
  { kind }: MigrationPart,
  rows: readonly StagedRow[],
): Promise<readonly RowOutcome[]> {
  const keys = [...new Set(rows.map(keyOf))].map((text) => ({ by: 'externalId' as const, text }))
  const known = await findEarlierRows(tx, migration, kind, keys)
  return rows.map((row): RowOutcome => {
    const { line } = row
    const text = keyOf(row)
    const id = known.get(`externalId:${text}`)
    if (id !== undefined) return { line, outcome: 'MERGED', ...(id ? { recordId: id } : {}) }
    const problem: RowProblem = { code: 'NOT_FOUND', values: { to: kind, text }, at: 0, field: null, isRow: true }
    return { line, outcome: 'FAILED', problems: [problem] }
  })
}

const keyOf = ({ cells: [key = ''] }: Pick<StagedRow, 'cells'>): string => key.trim()
