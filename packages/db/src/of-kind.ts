import type { Field, FieldType } from '@crm/model'
import type { $Type, HasDefault, NotNull } from 'drizzle-orm'
import {
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  smallint,
  text,
  uuid,
  type PgColumnBuilderBase,
} from 'drizzle-orm/pg-core'
import type * as z from 'zod'
import { instant } from './columns.ts'

/** The column of each type of field. */
const columns = {
  text: (name: string) => text(name),
  email: (name: string) => text(name),
  phone: (name: string) => text(name),
  domain: (name: string) => text(name),
  currency: (name: string) => text(name),
  choice: (name: string) => text(name),
  money: (name: string) => numeric(name, { precision: 18, scale: 6 }),
  percent: (name: string) => smallint(name),
  integer: (name: string) => integer(name),
  flag: (name: string) => boolean(name),
  day: (name: string) => date(name),
  instant: (name: string) => instant(name),
  reference: (name: string) => uuid(name),
  pointer: (name: string) => uuid(name),
  references: (name: string) => uuid(name).array(),
  texts: (name: string) => text(name).array(),
  tags: (name: string) => text(name).array(),
  address: (name: string) => jsonb(name),
  parts: (name: string) => jsonb(name),
} as const satisfies Record<FieldType, (name: string) => PgColumnBuilderBase>

type Fields = Readonly<Record<string, Field>>
/** The types whose values the database does not know as well as the schema of the field does. */
type Typed = 'choice' | 'address' | 'parts'
/** The types that are empty lists without a value. */
type Listed = 'references' | 'texts'

type Builder<F extends Field> = F['type'] extends Typed
  ? $Type<ReturnType<(typeof columns)[F['type']]>, Exclude<z.output<F['shown']>, null>>
  : F['type'] extends Listed
    ? HasDefault<ReturnType<(typeof columns)[F['type']]>>
    : ReturnType<(typeof columns)[F['type']]>
type ColumnOf<F extends Field> = F['rules'] extends { readonly presence: 'always' | 'required' }
  ? NotNull<Builder<F>>
  : Builder<F>

type StoredNames<F extends Fields> = {
  [Name in keyof F]: F[Name]['rules'] extends { readonly computed: true } ? never : Name
}[keyof F]

/**
 * Returns the columns of a kind of record, in the order of its fields. The table spreads them, and gives the columns anew of which the model
 * does not know all: those with a default of the database, or of another size.
 */
export function columnsOf<F extends Fields>({
  fields,
}: {
  readonly fields: F
}): { [Name in StoredNames<F>]: ColumnOf<F[Name]> } {
  const stored = Object.entries(fields).filter(([, { rules }]) => !rules.computed)
  return Object.fromEntries(stored.map(([name, field]) => [name, columnOf(snakeCase(name), field)])) as never
}

function columnOf(name: string, { type, rules: { presence = 'optional' } }: Field): PgColumnBuilderBase {
  // All builders have these methods; only their types differ.
  const column = columns[type](name) as ReturnType<typeof columns.references>
  if (presence === 'optional') return column
  return type === 'references' || type === 'texts' ? column.notNull().default([]) : column.notNull()
}

/** Returns the name of a column from that of its field. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
