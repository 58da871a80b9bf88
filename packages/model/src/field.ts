import * as z from 'zod'
import type { PlainEntity } from './plain-entities.ts'
import * as values from './values.ts'

/** What kind of value a field has. */
export type FieldType =
  /** A text that people type or that the service writes. */
  | 'text'
  | 'email'
  | 'phone'
  /** The domain of a website. */
  | 'domain'
  /** An amount in the currency of the record; a decimal string. */
  | 'money'
  /** A code of ISO 4217. */
  | 'currency'
  /** From 0 to 100. */
  | 'percent'
  | 'integer'
  | 'flag'
  /** A day without a time. */
  | 'day'
  | 'instant'
  /** One of a few codes. */
  | 'choice'
  /** The id of one record or object. */
  | 'reference'
  /** The ids of several records or objects. */
  | 'references'
  /** The id of a record whose kind another field tells. */
  | 'pointer'
  /** Several short texts, such as further addresses. */
  | 'texts'
  /** The tags of a record. */
  | 'tags'
  /** A postal address. */
  | 'address'
  /** What only the contract can describe, such as the lines of an invoice. */
  | 'parts'

/**
 * When a field has a value: `optional` fields may be null, `always` means never null because the service fills what nobody gave, and
 * `required` that a new record needs it.
 */
export type Presence = 'optional' | 'always' | 'required'

/**
 * What a field holds, as far as the names, addresses and numbers of people go (docs/decisions/erasure.md).
 * - `prose`: people type it, so it may name anybody.
 * - `person`: the name, address or number of the person whom the record is about.
 * - `name`: the name, address or number of a thing or an organization.
 * - `fixed`: keys, choices and settings.
 */
export type Holding = 'prose' | 'person' | 'name' | 'fixed'

/** The kinds with code of their own, and the objects that belong to a workspace. */
type KnownTarget =
  | 'LEAD'
  | 'DEAL'
  | 'CONTACT'
  | 'COMPANY'
  | 'TASK'
  | 'PROJECT'
  | 'PRODUCT'
  | 'QUOTE'
  | 'ORDER'
  | 'INVOICE'
  | 'EMPLOYEE'
  | 'DEPARTMENT'
  | 'PIPELINE'
  | 'STAGE'
  | 'LEAD_SOURCE'
  | 'INDUSTRY'
  | 'PRODUCT_CATEGORY'
  | 'UNIT'
  | 'TAX_RATE'
  | 'CURRENCY'

/** What is behind an id: a kind of record, or an object that belongs to the workspace. */
export type Target = keyof ({ readonly [To in KnownTarget]: To } & { readonly [To in PlainEntity]: To })

/** What is true of a field of any type. */
export interface Rules {
  /** `optional` by default. */
  readonly presence?: Presence
  /** Who gives the value: people whenever they like by default, people only in a new record, or the service. */
  readonly written?: 'create' | 'never'
  /** Whether it is computed whenever it is read, and stored nowhere. */
  readonly computed?: true
  /** Whether many records can get a value at once. */
  readonly bulk?: true
  /** Whether lists can be sorted by it. */
  readonly sort?: true
  /** Whether lists take a parameter for it: its own name, or the name before `From` and `To` or `Min` and `Max`. */
  readonly filter?: true | string
  /** Whether people choose its value when records are merged. */
  readonly preferred?: true
  /** Whether summaries group by it, where its type alone does not say so. */
  readonly grouped?: true
  /** Whether a document with a number keeps the record that it names from being deleted for good. */
  readonly keeps?: true
  /** Whether people may change it and never clear it, though a record may lack it. */
  readonly lasting?: true
  /** Whether an import keeps the value that another program gave it, though nobody writes it here. */
  readonly carried?: true
  /** Whether it belongs to the origin of a record, which a website form can send. */
  readonly origin?: true
  /** For readers of the API, in answers. */
  readonly description?: string
  /** For writers of the API, in requests. */
  readonly hint?: string
}

/** The rules of a field that may hold something about people. */
interface Holds extends Rules {
  readonly holds: Holding
}

/** A field: its type, its rules, and the schemas of its values. */
export interface FieldOf<Type extends FieldType, Shown, Written, R> {
  readonly type: Type
  readonly rules: R
  /** The schema of the value in answers. */
  readonly shown: Shown
  /** The schema of the value that people write; undefined for a field that only the service writes. */
  readonly written: Written
}

/** A field of any type. */
export type Field = FieldOf<FieldType, z.ZodType, z.ZodType | undefined, Rules & Partial<Particulars>>

/** The rules that fields of some types have besides. */
export interface Particulars {
  readonly holds: Holding
  readonly to: Target
  readonly max: number
  readonly min: number
  readonly values: readonly string[]
  readonly ordinal: true
  readonly unsigned: true
  /** What each of several texts is. */
  readonly of: 'email' | 'phone'
}

type OrNull<R extends Rules, Schema extends z.ZodType> = R['presence'] extends 'always' | 'required'
  ? Schema
  : z.ZodNullable<Schema>
type Unless<R extends Rules, Schema> = R['written'] extends 'never' ? undefined : Schema

function field<Type extends FieldType, Shown, Written, R extends Rules>(
  type: Type,
  rules: R,
  shown: Shown,
  written: Written,
): FieldOf<Type, Shown, Unless<R, Written>, R> {
  const { description, hint } = rules
  const taken = rules.written === 'never' ? undefined : described(written, hint)
  return { type, rules, shown: described(shown, description), written: taken as Unless<R, Written> }
}

/** Describes a schema for readers of the API. Its type is open here, because the type of a nullable schema depends on the rules. */
function described<Schema>(schema: Schema, description: string | undefined): Schema {
  const known = schema as z.ZodType
  return description === undefined ? schema : (known.meta({ ...known.meta(), description }) as Schema)
}

function orNull<const R extends Rules, Schema extends z.ZodType>({ presence }: R, schema: Schema): OrNull<R, Schema> {
  return (presence === 'always' || presence === 'required' ? schema : schema.nullable()) as OrNull<R, Schema>
}

/** Returns the maker of fields of a type whose values are null when there is none. */
const ofType =
  <Type extends FieldType, Shown extends z.ZodType, Written extends z.ZodType, Needed extends Rules = Rules>(
    type: Type,
    shown: Shown,
    written: Written,
  ) =>
  <const R extends Needed>(rules: R) =>
    field<Type, OrNull<R, Shown>, OrNull<R, Written>, R>(type, rules, orNull(rules, shown), orNull(rules, written))

const anyText = z.string()
const anyPercent = z.int().min(0).max(100)

export const email = ofType<'email', z.ZodString, typeof values.email, Holds>('email', anyText, values.email)
export const phone = ofType<'phone', z.ZodString, typeof values.phone, Holds>('phone', anyText, values.phone)
export const domain = ofType<'domain', z.ZodString, typeof values.domainName, Holds>(
  'domain',
  anyText,
  values.domainName,
)
export const address = ofType<'address', typeof values.address, typeof values.address, Holds>(
  'address',
  values.address,
  values.address,
)
/** The code of a currency. */
export const currency = ofType('currency', anyText, values.currencyCode)
export const percent = ofType('percent', anyPercent, anyPercent)
export const flag = ofType('flag', z.boolean(), z.boolean())
export const instant = ofType('instant', values.instant, values.instantInput)
/** The id of a record or an object of the workspace. */
export const reference = ofType<'reference', typeof values.id, typeof values.id, Rules & { readonly to: Target }>(
  'reference',
  values.id,
  values.id,
)

/** The id of a record whose kind another field tells. */
export const pointer = ofType('pointer', values.id, values.id)

type WrittenText<R extends Rules> = R['presence'] extends 'required' | 'always'
  ? ReturnType<typeof values.requiredText>
  : ReturnType<typeof values.text>

/** A text of at most `max` characters; empty means none. */
export const text = <const R extends Holds & { readonly max?: number }>(rules: R) => {
  const { max = 0 } = rules
  const written = isOptional(rules) ? values.text(max) : values.requiredText(max)
  return field<'text', OrNull<R, z.ZodString>, WrittenText<R>, R>(
    'text',
    rules,
    orNull(rules, anyText),
    written as WrittenText<R>,
  )
}

type ShownText<R extends Rules> = OrNull<R, z.ZodString>

/** An amount, as a decimal string; `unsigned` is never below zero. */
export const money = <const R extends Rules & { readonly unsigned?: true }>(rules: R) =>
  field<'money', ShownText<R>, OrNull<R, z.ZodString>, R>(
    'money',
    rules,
    (isOptional(rules) ? values.shownAmount : values.computedAmount) as ShownText<R>,
    orNull(rules, rules.unsigned ? values.unsignedDecimal : values.decimal),
  )

/** A date without a time. */
export const day = <const R extends Rules>(rules: R) =>
  field<'day', ShownText<R>, OrNull<R, typeof values.day>, R>(
    'day',
    rules,
    (isOptional(rules) ? values.shownDay : anyText.meta({ format: 'date' })) as ShownText<R>,
    orNull(rules, values.day),
  )

const isOptional = ({ presence = 'optional' }: Rules): boolean => presence === 'optional'

interface Bounds extends Rules {
  readonly min?: number
  readonly max?: number
  /** A number that nobody adds up, such as a position. */
  readonly ordinal?: true
}

/** A whole number. */
export const integer = <const R extends Bounds>(rules: R) =>
  field<'integer', OrNull<R, z.ZodInt>, OrNull<R, z.ZodInt>, R>(
    'integer',
    rules,
    orNull(rules, rules.written === 'never' ? within(rules) : z.int()),
    orNull(rules, within(rules)),
  )

function within({ min, max }: Bounds): z.ZodInt {
  const least = min === undefined ? z.int() : z.int().min(min)
  return max === undefined ? least : least.max(max)
}

type EnumOf<R extends { readonly values: readonly string[] }> = z.ZodEnum<{ [Value in R['values'][number]]: Value }>

/** One of some codes. */
export const choice = <const R extends Rules & { readonly values: readonly string[] }>(rules: R) => {
  const schema = z.enum(rules.values) as unknown as EnumOf<R>
  return field<'choice', OrNull<R, EnumOf<R>>, OrNull<R, EnumOf<R>>, R>(
    'choice',
    rules,
    orNull(rules, schema),
    orNull(rules, schema),
  )
}

export const tags = <const R extends Rules>(rules: R) => field('tags', rules, z.array(z.string()), values.tags)

/** Several values, which are shown as texts. */
const several = <const R extends Holds, Written extends z.ZodType>(rules: R, written: Written, of: Particulars['of']) =>
  field('texts', { ...rules, of }, z.array(z.string()), z.array(written).max(20))

/** Further addresses or numbers, up to 20. */
export const emails = <const R extends Holds>(rules: R) => several(rules, values.email, 'email')
export const phones = <const R extends Holds>(rules: R) => several(rules, values.phone, 'phone')

/** The ids of several records or objects. */
export const references = <const R extends Rules & { readonly to: Target; readonly max: number }>(rules: R) =>
  field('references', rules, z.array(values.id), z.array(values.id).max(rules.max))

/** Values that are no single value, with the schemas in which the contract shows and takes them. */
export const parts = <Shown extends z.ZodType, Written extends z.ZodType, const R extends Holds>(
  rules: R,
  shown: Shown,
  written: Written,
) => field('parts', rules, shown, written)

/** Returns the schemas of fields in answers, by their names. */
export function shownOf<Fields extends Readonly<Record<string, Field>>>(
  fields: Fields,
): { -readonly [Name in keyof Fields]: Fields[Name]['shown'] } {
  return Object.fromEntries(Object.entries(fields).map(([name, { shown }]) => [name, shown])) as never
}

/** Returns the parameters by which lists are narrowed by a field: one for its value, or two for the least and the most. */
export function paramsOf(
  name: string,
  { type, rules: { filter } }: Field,
): readonly [] | readonly [value: string] | readonly [least: string, most: string] {
  if (filter === undefined) return []
  if (filter === true) return [name]
  if (type === 'references') return [filter]
  return type === 'money' ? [`${filter}Min`, `${filter}Max`] : [`${filter}From`, `${filter}To`]
}
