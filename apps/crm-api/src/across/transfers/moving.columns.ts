import type { TransferredEntity } from '@crm/contract'
import {
  choice,
  day,
  entitiesWith,
  fieldsOf,
  flag,
  instant,
  kindOf,
  money,
  reference,
  references,
  referencesOf,
  tags,
  text,
  type Field,
  type Target,
} from '@crm/model'
import type { Choice, TitledKind } from '@crm/tables'
import { pairsOf, type Pairs } from './transfers.pairs.ts'
import type { CustomFieldDefinition } from '../../records/custom-field-values.ts'

/** A custom field of a kind; `isComing` for one that the import makes when it starts. */
export interface CustomColumn extends CustomFieldDefinition {
  readonly isComing?: true
}

/** What a column of a file can go to in a kind of record. */
export interface ColumnTarget {
  /** Such as `firstName`, `address.city`, `links.COMPANY` or `cf_size`. */
  readonly name: string
  /** How a cell becomes a value. */
  readonly field: Field
  /** What the workspace calls a custom field. */
  readonly label: string | null
  readonly isRequired: boolean
  /** Whether several columns can go to it. */
  readonly takesSeveral: boolean
  /** The words for the values of a choice. */
  readonly choices?: readonly Choice[]
  readonly custom?: CustomColumn
  /** Set for a field of pairs, which a cell holds as text. */
  readonly pairs?: Pairs & Pick<Field, 'written'>
}

/** The parts of an address that a column can go to. */
const addressParts = ['line1', 'line2', 'city', 'region', 'postalCode', 'country'] as const
const addressPartMax = 200

/** Which columns a kind of record takes follows from its fields; the name of a person in one cell is parted. */
export function targetsOf(
  entityType: TransferredEntity,
  customFields: readonly CustomColumn[],
): ReadonlyMap<string, ColumnTarget> {
  const fields = fieldsOf(entityType)
  const own = Object.entries(fields).flatMap(([name, field]) => targetsOfField(name, field))
  const whole = isPerson(entityType) ? [target('fullName', text({ max: 400, holds: 'person' }))] : []
  const custom = customFields.map((definition) => customTarget(definition))
  return new Map([...own, ...whole, ...custom].map((one) => [one.name, one]))
}

/** Whether records of a kind are named as people are. */
function isPerson(entityType: string): boolean {
  const { title = [] } = kindOf(entityType) ?? {}
  return title.includes('firstName') && title.includes('lastName')
}

function target(name: string, field: Field, more: Partial<ColumnTarget> = {}): ColumnTarget {
  const isRequired = field.rules.presence === 'required'
  const takesSeveral = ['texts', 'tags', 'references'].includes(field.type) || isLongText(field)
  return { name, field, label: null, isRequired, takesSeveral, ...more }
}

const longTextMin = 5_000

/** Whether a field takes what several columns say, one below the other. */
export function isLongText({ type, rules: { holds, max = 0 } }: Field): boolean {
  return type === 'text' && holds === 'prose' && max >= longTextMin
}

function targetsOfField(name: string, field: Field): readonly ColumnTarget[] {
  if (name === 'links') return entitiesWith('hub').map((to) => target(`links.${to}`, references({ to, max: 50 })))
  if (field.type === 'address')
    return addressParts.map((part) => target(`${name}.${part}`, text({ max: addressPartMax, holds: 'prose' })))
  if (field.type === 'parts') {
    const pairs = pairsOf(field)
    return pairs
      ? [target(name, text({ max: pairsMax, holds: 'person' }), { pairs: { ...pairs, written: field.written } })]
      : []
  }
  if (field.type === 'pointer') return []
  if (field.rules.carried) return [target(name, carried(field))]
  return field.written || name === 'ownerId' ? [target(name, field)] : []
}

const pairsMax = 4_000

/** Returns a field that the service usually writes as one that people write. */
function carried({ type, rules }: Field): Field {
  if (type === 'reference' && rules.to) return reference({ to: rules.to })
  return type === 'text' ? text({ max: rules.max ?? 0, holds: 'fixed' }) : instant({})
}

const customTextMax = 5_000
const anyDecimal = money({})

/** The field by which a cell of each type of custom field is read. */
const customReadings: Readonly<Record<string, (options: readonly string[]) => Field>> = {
  TEXT: () => text({ max: customTextMax, holds: 'prose' }),
  SELECT: (values) => choice({ values }),
  MULTI_SELECT: () => tags({}),
  BOOLEAN: () => flag({}),
  NUMBER: () => anyDecimal,
  CURRENCY: () => anyDecimal,
  PERCENTAGE: () => anyDecimal,
  RATING: () => anyDecimal,
  DATE: () => day({}),
  DATETIME: () => instant({}),
}

/** The types of custom fields whose values are numbers, where a cell gives a decimal. */
export const customNumbers: readonly string[] = ['NUMBER', 'PERCENTAGE', 'RATING']

function customTarget(definition: CustomColumn): ColumnTarget {
  const { key, label, options, isRequired, isComing } = definition
  // What a field has to choose from is known once it is made.
  const type = isComing && definition.type.endsWith('SELECT') ? 'TEXT' : definition.type
  const field = (customReadings[type] ?? customReadings['TEXT'])?.(options.map(({ value }) => value)) ?? anyDecimal
  const choices = options.map((option) => ({ value: option.value, labels: labelsOf(option) }))
  return target(`cf_${key}`, field, {
    label,
    isRequired,
    custom: definition,
    takesSeveral: field.type === 'tags',
    ...(choices.length > 0 ? { choices } : {}),
  })
}

function labelsOf(option: { readonly value: string; readonly label?: string }): readonly string[] {
  return option.label === undefined ? [] : [option.label]
}

/** Returns what a column refers to; undefined for a column of values. */
export function targetOf({ field }: ColumnTarget): Target | undefined {
  return field.rules.to
}

/** Returns what the titles of columns are compared with. */
export function titledKind(entityType: TransferredEntity, fields: readonly string[]): TitledKind {
  // A column that is called like the kind itself names the record, and not the one above it.
  // What the service links by itself is named by its key alone: “Company” of a lead is a word.
  const { fields: own = {} } = kindOf(entityType) ?? {}
  const known = referencesOf(entityType)
    .filter(({ name, to }) => to !== entityType && !own[name]?.rules.carried)
    .map(({ name, to }) => [name, kindOf(to)?.called ?? []] as const)
  const linked = fields.flatMap((field) => {
    const [, to] = /^links\.(\w+)$/.exec(field) ?? []
    return to ? [[field, kindOf(to)?.called ?? []] as const] : []
  })
  return {
    fields,
    called: kindOf(entityType)?.called ?? [],
    references: Object.fromEntries([...known, ...linked].filter(([, called]) => called.length > 0)),
  }
}
