import { customFieldPrefix } from '@crm/contract'
import { fieldsOf, kindOf, type Field } from '@crm/model'
import * as z from 'zod'
import { bare, pairsOf, textsOfPairs } from './transfers.pairs.ts'

/** What a column of a file holds, as far as spreadsheets tell it apart: texts stay as they are, whatever they look like. */
export type CellType = 'TEXT' | 'NUMBER'

/** A column of an exported file. Its title is the name of the field, with that of its part behind a dot. */
interface ExportColumn {
  readonly title: string
  readonly type: CellType
  /** The field whose ids the column holds. */
  readonly field?: string
  read(record: Values): unknown
}

/** A field whose value is a table of its own, such as the lines of an invoice; a second file has it. */
interface ExportPart {
  readonly field: string
  readonly columns: readonly string[]
}

/** The files of one kind of record. */
export interface ExportLayout {
  readonly columns: readonly ExportColumn[]
  readonly parts: readonly ExportPart[]
}

type Values = Readonly<Record<string, unknown>>

interface CustomField {
  readonly key: string
  readonly type: string
}

/** The fields that are no data of a record: what counts its changes, and what follows from the time of reading. */
const leftOut = (name: string, { type, rules }: Field): boolean =>
  name === 'version' || (rules.computed === true && type !== 'parts')

const first = ['id'] as const
const last = ['createdAt', 'updatedAt'] as const
/** The types of fields and of custom fields whose values are numbers. */
const numbers: readonly string[] = ['money', 'percent', 'integer', 'NUMBER', 'CURRENCY', 'PERCENTAGE', 'RATING']

/** Returns the files of records of an entity type by the model, with the custom fields of the workspace. */
export function layoutOf(entityType: string, customFields: readonly CustomField[]): ExportLayout {
  const fields = fieldsOf(entityType)
  const main = kindOf(entityType)?.main ?? ['title']
  const names = [...new Set([...main, ...Object.keys(fields)])].filter((name) => {
    const field = fields[name]
    return field !== undefined && !leftOut(name, field) && !last.some((one) => one === name)
  })
  const laidOut = names.map((name) => layOut(name, fields[name] as Field))
  return {
    columns: [
      ...first.map(plain),
      ...laidOut.flatMap(({ columns }) => columns),
      ...customFields.map(customColumn),
      ...last.map(plain),
    ],
    parts: laidOut.flatMap(({ part }) => (part ? [part] : [])),
  }
}

function plain(name: string): ExportColumn {
  return { title: name, type: 'TEXT', read: (record) => record[name] }
}

function customColumn({ key, type }: CustomField): ExportColumn {
  return {
    title: `${customFieldPrefix}${key}`,
    type: numbers.includes(type) ? 'NUMBER' : 'TEXT',
    // The values of custom entities have another name.
    read: (record) => ((record['customFields'] ?? record['values'] ?? {}) as Values)[key],
  }
}

function layOut(
  name: string,
  { type, shown, rules }: Field,
): { readonly columns: readonly ExportColumn[]; readonly part?: ExportPart } {
  const schema = bare(shown)
  if (schema instanceof z.ZodObject) return { columns: Object.keys(schema.shape).map((key) => memberOf(name, key)) }
  const pairs = pairsOf({ shown })
  if (pairs) return { columns: [{ ...plain(name), read: (record) => textsOfPairs(record[name], pairs) }] }
  if (schema instanceof z.ZodArray && bare(schema.element as z.ZodType) instanceof z.ZodObject) {
    const keys = Object.keys((bare(schema.element as z.ZodType) as z.ZodObject).shape)
    return { columns: [], part: { field: name, columns: keys } }
  }
  const isNumber = numbers.includes(type)
  const field = rules.to === undefined ? {} : { field: name }
  return { columns: [{ ...plain(name), type: isNumber ? 'NUMBER' : 'TEXT', ...field }] }
}

function memberOf(name: string, key: string): ExportColumn {
  return { title: `${name}.${key}`, type: 'TEXT', read: (record) => ((record[name] ?? {}) as Values)[key] }
}

/** Returns the name of the second file's column that says to which record a line belongs. */
export function parentColumn(entityType: string): string {
  return `${(kindOf(entityType)?.noun ?? 'record').replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

/** Returns the heading of the names behind a column of ids, as `expand` calls them. */
export function namesTitle(title: string): string {
  return title.replace(/Ids$/, 's').replace(/Id$/, '')
}
