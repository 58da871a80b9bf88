import type { Field, FieldType } from '@crm/model'
import type { $Type, NotNull } from 'drizzle-orm'
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
  address: (name: string) => jsonb(name),
  parts: (name: string) => jsonb(name),
} as const satisfies Record<FieldType, (name: string) => PgColumnBuilderBase>

type Fields = Readonly<Record<string, Field>>
/** The columns whose values have a type of their own, which the schema of the field knows. */
type Typed = 'choice' | 'address' | 'parts'

type Builder<F extends Field> = F['type'] extends Typed
  ? $Type<ReturnType<(typeof columns)[F['type']]>, Exclude<z.output<F['shown']>, null>>
  : ReturnType<(typeof columns)[F['type']]>
type ColumnOf<F extends Field> = F['rules'] extends { readonly presence: 'always' | 'required' }
  ? NotNull<Builder<F>>
  : Builder<F>

type StoredNames<F extends Fields> = {
  [Name in keyof F]: F[Name]['rules'] extends { readonly computed: true } ? never : Name
}[keyof F]

/** Returns the columns of a kind of record, in the order of its fields. */
export function columnsOf<F extends Fields>({
  fields,
}: {
  readonly fields: F
}): { [Name in StoredNames<F>]: ColumnOf<F[Name]> } {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type, rules }]) => {
      if (rules.computed) return []
      const column = columns[type](snakeCase(name)) as ReturnType<typeof text>
      return [[name, rules.presence === 'optional' || rules.presence === undefined ? column : column.notNull()]]
    }),
  ) as never
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
