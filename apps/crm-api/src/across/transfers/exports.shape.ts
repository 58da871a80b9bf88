import { isAnyOf, schema, type Executor } from '@crm/db'
import { targetOf } from '@crm/model'
import { and, eq } from 'drizzle-orm'
import { hasNames, readNames } from '../../domain/summaries/names.ts'
import type { CrmContext } from '../../platform/context.ts'
import { namesTitle, parentColumn, type CellType, type ExportLayout } from './exports.columns.ts'
import { partMark } from './exports.kinds.ts'
import { cellOf, guarded, unguarded } from './transfers.cells.ts'

type Line = readonly string[]

/** The table that a file shows: its header, the types of its cells, and its lines by batch. */
export interface ShapedFile {
  readonly header: Line
  readonly types: readonly CellType[]
  shape(batch: readonly Line[]): Promise<readonly Line[]>
}

/** Returns how the file of the records themselves is made of stored lines: each id of something that has a name is followed by it. */
export function shapeRecords(
  context: CrmContext,
  entityType: string,
  stored: Line,
  { columns }: Pick<ExportLayout, 'columns'>,
): ShapedFile {
  const known = new Map(columns.map((column) => [column.title, column]))
  const kept = stored.flatMap((title, at) => (title.endsWith(partMark) ? [] : [{ title, at }]))
  // The files of earlier versions have columns that are called like their fields.
  const parts = kept.map(({ title, at }) => ({
    title,
    at,
    type: known.get(title)?.type ?? ('TEXT' as const),
    isNamed: hasNames(entityType, title),
  }))
  return {
    header: parts.flatMap(({ title, isNamed }) => (isNamed ? [title, namesTitle(title)] : [title])),
    types: parts.flatMap(({ type, isNamed }) => (isNamed ? [type, 'TEXT' as const] : [type])),
    shape: async (batch) => {
      const names = new Map<number, ReadonlyMap<string, string>>()
      for (const { title, at } of parts.filter(({ isNamed }) => isNamed))
        names.set(
          at,
          await namesIn(
            context,
            entityType,
            title,
            batch.map((cells) => cells[at] ?? ''),
          ),
        )
      return batch.map((cells) =>
        parts.flatMap(({ at, isNamed }) => {
          const cell = cells[at] ?? ''
          return isNamed ? [cell, guarded(nameOf(cell, names.get(at)))] : [cell]
        }),
      )
    },
  }
}

const nameOf = (cell: string, names: ReadonlyMap<string, string> | undefined): string =>
  cell
    .split(';')
    .map((id) => names?.get(id) ?? '')
    .filter(Boolean)
    .join(';')

/** Reads the names behind the ids of one column; people who have left are marked. */
async function namesIn(
  context: CrmContext,
  entityType: string,
  field: string,
  cells: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(cells.flatMap((cell) => cell.split(';')).filter(Boolean))]
  if (ids.length === 0) return new Map()
  const names = await readNames(context.db, context, entityType, field, ids)
  if (targetOf(entityType, field) !== 'EMPLOYEE') return names
  const left = await findLeft(context.db, context.workspace.id, ids)
  return new Map([...names].map(([id, name]) => [id, left.has(id) ? `${name} (left)` : name]))
}

async function findLeft(db: Executor, workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { employees } = schema
  const rows = await db
    .select({ id: employees.id })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isAnyOf(employees.id, ids), eq(employees.status, 'TERMINATED')))
  return new Set(rows.map(({ id }) => id))
}

/** Returns how the file of a part is made, such as that of the lines of invoices; undefined where there is no such part. */
export function shapePart(
  entityType: string,
  stored: Line,
  { parts }: Pick<ExportLayout, 'parts'>,
  field: string,
): ShapedFile | undefined {
  const part = parts.find((one) => one.field === field)
  const at = stored.indexOf(`${field}${partMark}`)
  if (!part || at === -1) return undefined
  const { columns } = part
  return {
    header: [parentColumn(entityType), ...columns],
    types: ['TEXT', ...columns.map((): CellType => 'TEXT')],
    shape: async (batch) =>
      batch.flatMap((cells) => {
        const values = JSON.parse(cells[at] || '[]') as readonly Readonly<Record<string, unknown>>[]
        return values.map((value) => [cells[0] ?? '', ...columns.map((column) => cellOf(value[column]))])
      }),
  }
}

/** Spreadsheets keep fifteen digits of a number. */
const digitsKept = 15

/** Returns the cells of a line as a spreadsheet keeps them: numbers, and all else as text. */
export function cellsFor(line: Line, types: readonly CellType[]): (string | number | null)[] {
  return line.map((cell, at) => {
    if (cell === '') return null
    const text = unguarded(cell)
    const isNumber = types[at] === 'NUMBER' && /^-?\d+(\.\d+)?$/.test(text)
    return isNumber && text.replaceAll(/\D/g, '').length <= digitsKept ? Number(text) : text
  })
}
