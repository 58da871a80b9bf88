import { customFieldPrefix } from '@crm/contract'
import { fieldsOf, kindOf, type Field } from '@crm/model'
import * as z from 'zod'

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
  if (schema instanceof z.ZodArray && bare(schema.element as z.ZodType) instanceof z.ZodObject) {
    const keys = Object.keys((bare(schema.element as z.ZodType) as z.ZodObject).shape)
    if (keys.length > pairLength) return { columns: [], part: { field: name, columns: keys } }
    return { columns: [{ ...plain(name), read: (record) => pairsIn(record[name], keys) }] }
  }
  if (schema instanceof z.ZodRecord) return { columns: [{ ...plain(name), read: (record) => entriesIn(record[name]) }] }
  const isNumber = numbers.includes(type)
  const field = rules.to === undefined ? {} : { field: name }
  return { columns: [{ ...plain(name), type: isNumber ? 'NUMBER' : 'TEXT', ...field }] }
}

/** Values of two parts, such as a messenger and a handle, stand in one cell; larger ones in a file of their own. */
const pairLength = 2

function memberOf(name: string, key: string): ExportColumn {
  return { title: `${name}.${key}`, type: 'TEXT', read: (record) => ((record[name] ?? {}) as Values)[key] }
}

function pairsIn(value: unknown, keys: readonly string[]): readonly string[] {
  return ((value ?? []) as readonly Values[]).map((one) => keys.map((key) => textOf(one[key])).join(':'))
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

function entriesIn(value: unknown): readonly string[] {
  return Object.entries((value ?? {}) as Values).map(([key, one]) => `${key}:${textOf(one)}`)
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema
}

/** Returns the name of the second file's column that says to which record a line belongs. */
export function parentColumn(entityType: string): string {
  return `${(kindOf(entityType)?.noun ?? 'record').replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

/** Returns the heading of the names behind a column of ids, as `expand` calls them. */
export function namesTitle(title: string): string {
  return title.replace(/Ids$/, 's').replace(/Id$/, '')
}
