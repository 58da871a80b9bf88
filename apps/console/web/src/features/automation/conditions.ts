import type { ConditionStep, FilterOperator } from '@crm/contract'
import type { Field, Kind } from '../../records/record-kinds.ts'
import { numberTypes } from '../../records/record-kinds.ts'
import { membersOf, type WireCondition, type WireGroup } from '../../records/list/list-address.ts'
import type { Variable } from './variables.ts'

export type Conditions = ConditionStep['if']
type Condition = Conditions[number]

const lists: readonly Field['type'][] = ['MULTI_SELECT', 'TAGS', 'TEXT_LIST', 'REFERENCE_LIST']
const texts: readonly Field['type'][] = ['TEXT', 'LONG_TEXT', 'EMAIL', 'PHONE']

/** Returns the comparisons of a filter that the conditions of workflows know as well. */
function operatorsOf({ type }: Pick<Field, 'type'>): FilterOperator[] {
  if (lists.includes(type)) return ['contains']
  if (texts.includes(type)) return ['is', 'isNot', 'contains', 'empty', 'notEmpty']
  if (numberTypes.includes(type)) return ['is', 'isNot', 'gt', 'lt', 'empty', 'notEmpty']
  if (type === 'DATE' || type === 'DATETIME') return ['gt', 'lt', 'empty', 'notEmpty']
  if (type === 'BOOLEAN') return ['is', 'isNot']
  return ['is', 'isNot', 'in', 'empty', 'notEmpty']
}

const plainField: Omit<Field, 'key' | 'label' | 'operators'> = {
  type: 'TEXT',
  options: [],
  references: null,
  group: 'MORE',
  maxLength: null,
  required: false,
  requiredInStages: [],
  readOnly: false,
  default: null,
  sortable: false,
  aggregates: [],
}

/**
 * Returns what conditions can compare, in the form of a kind of record, so that the filter dialog can be used for it. A
 * field is called by its path; the data of earlier steps is named with its source.
 */
export function comparableKind(variables: readonly Variable[], kinds: readonly Kind[], pathOf = asItIs): Kind {
  const fields = variables.flatMap(({ path, source, label, field }): Field[] => {
    if (field?.type === 'ADDRESS') return []
    // A moment is compared with a day, which people can type.
    const comparable = { ...plainField, ...field, ...(field?.type === 'DATETIME' ? { type: 'DATE' as const } : {}) }
    return [
      {
        ...comparable,
        key: pathOf(path),
        label: path.startsWith('trigger.') ? label : `${source} › ${label}`,
        operators:
          field === undefined ? ['is', 'isNot', 'contains', 'gt', 'lt', 'empty', 'notEmpty'] : operatorsOf(field),
      },
    ]
  })
  return {
    key: '',
    noun: '',
    plural: '',
    icon: '',
    isCustom: false,
    titleFields: [],
    pipelines: kinds
      .filter((kind) => variables.some(({ field }) => field !== undefined && kind.fields.includes(field)))
      .flatMap(({ pipelines }) => pipelines),
    may: { create: false, update: false, delete: false },
    fields,
  }
}

const asItIs = (path: string): string => path

/** Returns the path that a condition of a trigger compares: the record of the event is at its top. */
export function triggerPath(path: string): string {
  return path.replace(/^trigger\./, '')
}

const opOf: Readonly<Partial<Record<FilterOperator, Condition['op']>>> = {
  is: 'EQ',
  isNot: 'NE',
  in: 'IN',
  gt: 'GT',
  lt: 'LT',
  contains: 'CONTAINS',
}

/** Returns conditions as the filter dialog holds them; undefined for the ones that it cannot show. */
export function toMember({ field, op, value }: Condition, kind: Kind): WireCondition | undefined {
  const known = kind.fields.find(({ key }) => key === field)
  const operator = Object.entries(opOf).find(([, own]) => own === op)?.[0] as FilterOperator | undefined
  if (known === undefined || operator === undefined) return undefined
  if (value === null && (op === 'EQ' || op === 'NE')) return { field, op: op === 'EQ' ? 'empty' : 'notEmpty' }
  return { field, op: operator, value }
}

/** Returns the conditions that the filter dialog shows; undefined without any. */
export function toGroup(conditions: Conditions, kind: Kind): WireGroup | undefined {
  const members = conditions.flatMap((condition) => toMember(condition, kind) ?? [])
  return members.length === 0 ? undefined : { and: members }
}

/** Returns conditions after a change in the filter dialog; the ones that it did not show stay. */
export function withGroup(conditions: Conditions, group: WireGroup | undefined, kind: Kind): Conditions {
  const kept = conditions.filter((condition) => toMember(condition, kind) === undefined)
  const members = group === undefined ? [] : membersOf(group)
  return [...members.flatMap((member) => ('field' in member ? [toCondition(member, kind)] : [])), ...kept]
}

function toCondition({ field, op, value }: WireCondition, kind: Kind): Condition {
  if (op === 'empty' || op === 'notEmpty') return { field, op: op === 'empty' ? 'EQ' : 'NE', value: null }
  const type = kind.fields.find(({ key }) => key === field)?.type
  // Amounts are texts in the API; only a number equals one whatever its zeros.
  const isNumber = type !== undefined && numberTypes.includes(type) && typeof value === 'string' && value !== ''
  return {
    field,
    op: opOf[op] ?? 'EQ',
    value: isNumber && !Number.isNaN(Number(value)) ? Number(value) : (value ?? null),
  }
}
