import type { Field } from '@crm/model'
import * as z from 'zod'
import { customFieldValues, decimal, expectedVersion, newOwner, ownedFields, tags } from './fields.ts'
import { enumFilter, idFilter } from './filters.ts'
import { dayParam, rangeParam } from './lists.ts'

type Fields = Readonly<Record<string, Field>>
type Flat<T> = { [Name in keyof T]: T[Name] }

/** The names of fields for which something is true. */
type Where<F extends Fields, Rule> = {
  [Name in keyof F]: F[Name]['rules'] extends Rule ? Name : never
}[keyof F]
type WrittenNames<F extends Fields> = {
  [Name in keyof F]: F[Name]['written'] extends z.ZodType ? Name : never
}[keyof F]

type Schema<F extends Field> = F['written'] extends z.ZodType ? F['written'] : never
type Optional<F extends Fields, Names extends keyof F> = { [Name in Names]: z.ZodOptional<Schema<F[Name]>> }

type ShownShape<F extends Fields> = Flat<
  typeof ownedFields & { [Name in keyof F]: F[Name]['shown'] } & { customFields: typeof customFieldValues }
>

/** Returns the schema of a record of a kind in answers. */
export function recordOf<F extends Fields>({ fields }: { readonly fields: F }): z.ZodObject<ShownShape<F>> {
  const own = namesIn(fields).map((name) => [name, fields[name]?.shown])
  return z.object({ ...ownedFields, ...Object.fromEntries(own), customFields: customFieldValues }) as never
}

const further = { ownerId: newOwner, tags: tags.optional(), customFields: customFieldValues.optional() }
type Further = typeof further

type PatchShape<F extends Fields> = Flat<
  Optional<F, WrittenNames<F>> & Further & { readonly version: typeof expectedVersion }
>

/** Returns the schema of a change of a record. */
export function patchOf<F extends Fields>({
  fields,
}: {
  readonly fields: F
}): z.ZodObject<PatchShape<F>, z.core.$strict> {
  return z.strictObject({ ...writtenOf(fields, () => false), ...further, version: expectedVersion }) as never
}

type RequiredNames<F extends Fields> = Extract<Where<F, { readonly presence: 'required' }>, WrittenNames<F>>
type InputShape<F extends Fields> = Flat<
  { [Name in RequiredNames<F>]: Schema<F[Name]> } & Optional<F, Exclude<WrittenNames<F>, RequiredNames<F>>> & Further
>

/** Returns the schema of a new record. */
export function inputOf<F extends Fields>({
  fields,
}: {
  readonly fields: F
}): z.ZodObject<InputShape<F>, z.core.$strict> {
  return z.strictObject({ ...writtenOf(fields, ({ rules }) => rules.presence === 'required'), ...further }) as never
}

type BulkShape<F extends Fields> = Flat<
  Optional<F, Extract<Where<F, { readonly bulk: true }>, WrittenNames<F>>> & Pick<Further, 'ownerId' | 'customFields'>
>

/** Returns the schema of the values that many records get at once. */
export function bulkSetOf<F extends Fields>({
  fields,
}: {
  readonly fields: F
}): z.ZodObject<BulkShape<F>, z.core.$strict> {
  const names = namesIn(fields).filter((name) => fields[name]?.rules.bulk)
  const { ownerId, customFields } = further
  const set = Object.fromEntries(names.map((name) => [name, fields[name]?.written?.optional()]))
  return z.strictObject({ ...set, ownerId, customFields }) as never
}

/** Returns the fields by which lists of a kind are sorted, besides the times of every record. */
export function sortFieldsOf<F extends Fields>({
  fields,
}: {
  readonly fields: F
}): readonly ['createdAt', 'updatedAt', ...Extract<Where<F, { readonly sort: true }>, string>[]] {
  const own = namesIn(fields).filter((name) => fields[name]?.rules.sort)
  return ['createdAt', 'updatedAt', ...(own as never[])]
}

type ParamNames<Name, F extends Field> = F['rules'] extends { readonly filter: infer Filter }
  ? Filter extends string
    ? F['type'] extends 'money'
      ? `${Filter}Min` | `${Filter}Max`
      : `${Filter}From` | `${Filter}To`
    : Name
  : never

/** The schema of a parameter that narrows a list by a field. */
type ParamOf<F extends Field> = F['rules'] extends { readonly values: readonly (infer Value extends string)[] }
  ? ReturnType<typeof enumFilter<Value>>
  : F['type'] extends 'reference'
    ? ReturnType<typeof idFilter>
    : F['type'] extends 'day'
      ? typeof dayParam
      : F['type'] extends 'instant'
        ? ReturnType<typeof rangeParam>
        : Schema<F>

type Params<F extends Fields> = {
  [Name in keyof F as ParamNames<Name, F[Name]>]: z.ZodOptional<ParamOf<F[Name]>>
}

/** Returns the parameters by which lists of a kind are narrowed, besides those that all lists have. */
export function filtersOf<F extends Fields>({ fields }: { readonly fields: F }): Params<F> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => paramsOf(name, field))) as never
}

function paramsOf(name: string, { type, rules, written }: Field): [string, z.ZodType][] {
  const { filter, presence = 'optional', values } = rules
  if (filter === undefined) return []
  const canBeEmpty = presence === 'optional'
  if (values) return [[name, enumFilter({ values, canBeEmpty }).optional()]]
  if (type === 'reference') return [[name, idFilter({ canBeEmpty }).optional()]]
  if (filter === true) return written ? [[name, written.optional()]] : []
  if (type === 'money') return ['Min', 'Max'].map((end) => [`${filter}${end}`, decimal.optional()])
  const bounds = (['from', 'to'] as const).map((bound) => (type === 'day' ? dayParam : rangeParam(bound)).optional())
  return [
    [`${filter}From`, bounds[0] as z.ZodType],
    [`${filter}To`, bounds[1] as z.ZodType],
  ]
}

function namesIn(fields: Fields): string[] {
  return Object.keys(fields)
}

function writtenOf(fields: Fields, isRequired: (field: Field) => boolean): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.written ? [[name, isRequired(field) ? field.written : field.written.optional()]] : [],
    ),
  )
}
