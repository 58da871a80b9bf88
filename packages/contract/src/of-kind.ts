import { everyRecord, namesWith, paramsOf, shownOf, type Field, type NamesWith } from '@crm/model'
import * as z from 'zod'
import { customFieldValues, decimal, expectedVersion, newOwner, ownedFields, tags, unsignedDecimal } from './fields.ts'
import { enumFilter, idFilter, personFilter } from './filters.ts'
import { booleanParam, dayParam, rangeParam } from './lists.ts'

type Fields = Readonly<Record<string, Field>>

/** What the schemas of a kind of record follow from. */
interface Described {
  readonly fields: Fields
  readonly customFields?: true
}

type Flat<T> = { [Name in keyof T]: T[Name] }
type When<K extends Described, Shape> = K extends { readonly customFields: true } ? Shape : unknown

/**
 * The names of fields for which something is true.
 * @public Declarations name it; written out, they would name its parameter.
 */
export type Where<F extends Fields, Rule> = {
  [Name in keyof F]: F[Name]['rules'] extends Rule ? Name : never
}[keyof F]
type WrittenNames<F extends Fields> = {
  [Name in keyof F]: F[Name]['written'] extends z.ZodType ? Name : never
}[keyof F]

type WrittenOf<F extends Field> = F['written'] extends z.ZodType ? F['written'] : never
/** The schema of a value in a request: a lasting one is never cleared. */
type Schema<F extends Field> = F['rules'] extends { readonly lasting: true }
  ? WrittenOf<F> extends z.ZodNullable<infer Inner extends z.ZodType>
    ? Inner
    : never
  : WrittenOf<F>
type Optional<F extends Fields, Names extends keyof F> = { [Name in Names]: z.ZodOptional<Schema<F[Name]>> }

type ShownShape<K extends Described> = Flat<
  typeof ownedFields & { [Name in keyof K['fields']]: K['fields'][Name]['shown'] } & When<
      K,
      { customFields: typeof customFieldValues }
    >
>

/** Returns the schema of a record of a kind in answers. */
export function recordOf<K extends Described>({ fields, customFields }: K): z.ZodObject<ShownShape<K>> {
  return z.object({
    ...ownedFields,
    ...shownOf(fields),
    ...(customFields && { customFields: customFieldValues }),
  }) as never
}

const common = { ownerId: newOwner, tags: tags.optional() }
const custom = { customFields: customFieldValues.optional() }

type Common<K extends Described> = typeof common & When<K, typeof custom>

type InputNames<F extends Fields> = Extract<Where<F, { readonly presence: 'required' }>, WrittenNames<F>>
type InputShape<K extends Described, F extends Fields = K['fields']> = Flat<
  { [Name in InputNames<F>]: Schema<F[Name]> } & Optional<F, Exclude<WrittenNames<F>, InputNames<F>>> & Common<K>
>

/** Returns the schema of a new record. */
export function inputOf<K extends Described>({ fields, customFields }: K): z.ZodObject<InputShape<K>, z.core.$strict> {
  const written = schemasOf(fields, ({ rules: { presence } }, schema) =>
    presence === 'required' ? schema : schema.optional(),
  )
  return z.strictObject({ ...written, ...common, ...(customFields && custom) }) as never
}

type PatchNames<F extends Fields> = Exclude<WrittenNames<F>, Where<F, { readonly written: 'create' }>>
type PatchShape<K extends Described, F extends Fields = K['fields']> = Flat<
  Optional<F, PatchNames<F>> & Common<K> & { version: typeof expectedVersion }
>

/** Returns the schema of a change of a record. */
export function patchOf<K extends Described>({ fields, customFields }: K): z.ZodObject<PatchShape<K>, z.core.$strict> {
  const written = schemasOf(fields, ({ rules }, schema) => (rules.written === 'create' ? undefined : schema.optional()))
  return z.strictObject({ ...written, ...common, ...(customFields && custom), version: expectedVersion }) as never
}

type BulkNames<F extends Fields> = Extract<Where<F, { readonly bulk: true }>, WrittenNames<F>>
type BulkShape<K extends Described, F extends Fields = K['fields']> = Flat<
  Optional<F, BulkNames<F>> & Pick<typeof common, 'ownerId'> & When<K, typeof custom>
>

/** Returns the schema of the values that many records get at once. */
export function bulkSetOf<K extends Described>({ fields, customFields }: K): z.ZodObject<BulkShape<K>, z.core.$strict> {
  const set = schemasOf(fields, ({ rules }, schema) => (rules.bulk ? schema.optional() : undefined))
  return z.strictObject({ ...set, ownerId: newOwner, ...(customFields && custom) }) as never
}

function schemasOf(
  fields: Fields,
  choose: (field: Field, schema: z.ZodType) => z.ZodType | undefined,
): Record<string, z.ZodType> {
  const chosen = Object.entries(fields).map(([name, field]) => {
    const { written, rules } = field
    const schema = rules.lasting && written instanceof z.ZodNullable ? (written.unwrap() as z.ZodType) : written
    return [name, schema && choose(field, schema)] as const
  })
  return Object.fromEntries(chosen.filter((one): one is [string, z.ZodType] => one[1] !== undefined))
}

type SortNames<F extends Fields> = NamesWith<typeof everyRecord, 'sort'> | Extract<NamesWith<F, 'sort'>, string>

/** Returns the fields by which lists of a kind are sorted. */
export function sortFieldsOf<K extends Described>({
  fields,
}: K): readonly [SortNames<K['fields']>, ...SortNames<K['fields']>[]] {
  return [...namesWith(everyRecord, 'sort'), ...namesWith(fields, 'sort')] as never
}

type ParamNames<Name, F extends Field> = F['rules'] extends { readonly filter: infer Filter }
  ? Filter extends string
    ? F['type'] extends 'references'
      ? Filter
      : F['type'] extends 'money'
        ? `${Filter}Min` | `${Filter}Max`
        : `${Filter}From` | `${Filter}To`
    : Name
  : never

/** The schema of a parameter that narrows a list by a field. */
type ParamOf<F extends Field> = F['type'] extends 'reference'
  ? F['rules'] extends { readonly to: 'EMPLOYEE' }
    ? typeof personFilter
    : ReturnType<typeof idFilter>
  : F['type'] extends 'references'
    ? typeof personFilter
    : F['type'] extends 'day'
      ? typeof dayParam
      : F['type'] extends 'instant'
        ? ReturnType<typeof rangeParam>
        : F['type'] extends 'flag'
          ? typeof booleanParam
          : F['type'] extends 'text'
            ? z.ZodString
            : F['rules'] extends { readonly values: readonly (infer Value extends string)[] }
              ? ReturnType<typeof enumFilter<Value>>
              : Schema<F>

type Params<F extends Fields> = {
  [Name in keyof F as ParamNames<Name, F[Name]>]: z.ZodOptional<ParamOf<F[Name]>>
}

/** Returns the parameters by which lists of a kind are narrowed, besides those that all lists have. */
export function filtersOf<K extends Described>({ fields }: K): Params<K['fields']> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => schemasOfParams(name, field))) as never
}

function schemasOfParams(name: string, field: Field): [string, z.ZodType][] {
  const [first, most] = paramsOf(name, field)
  if (first === undefined) return []
  if (most === undefined) return [[first, valueParam(field)]]
  const { type, rules } = field
  const bound = (end: 'from' | 'to'): z.ZodType => {
    if (type === 'money') return rules.unsigned ? unsignedDecimal : decimal
    return type === 'day' ? dayParam : rangeParam(end)
  }
  return [
    [first, bound('from').optional()],
    [most, bound('to').optional()],
  ]
}

function valueParam({ type, rules, written }: Field): z.ZodType {
  const { presence = 'optional', values, to, max = 0 } = rules
  const canBeEmpty = presence === 'optional'
  if (values) return enumFilter({ values, canBeEmpty }).optional()
  if (to === 'EMPLOYEE') return personFilter.optional()
  if (type === 'reference') return idFilter({ canBeEmpty }).optional()
  if (type === 'flag') return booleanParam.optional()
  if (type === 'text') return z.string().max(max).optional()
  const schema = written instanceof z.ZodNullable ? (written.unwrap() as z.ZodType) : (written as z.ZodType)
  return schema.optional()
}
