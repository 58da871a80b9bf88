import type { FilterOperator } from '@crm/contract'
import { inWords } from '../field-words.ts'
import { textOfValue } from '../field-value.tsx'
import { numberTypes, type Field, type Kind } from '../record-kinds.ts'
import { membersOf, type WireCondition, type WireGroup } from './list-address.ts'

const dates: readonly Field['type'][] = ['DATE', 'DATETIME']

const words: Readonly<Record<FilterOperator, string>> = {
  is: 'is',
  isNot: 'is not',
  in: 'is any of',
  contains: 'contains',
  startsWith: 'starts with',
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
  between: 'is between',
  empty: 'is empty',
  notEmpty: 'is not empty',
}
const signs: Partial<Record<FilterOperator, string>> = { is: '=', isNot: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' }

/** Returns an operator in words, as a field of a type has it. */
export function operatorInWords(op: FilterOperator, type: Field['type'] | undefined): string {
  return (type !== undefined && numberTypes.includes(type) ? signs[op] : undefined) ?? words[op]
}

/** The days that people choose by words, by what the API calls them. */
export const relativeDays: Readonly<Record<string, string>> = {
  today: 'today',
  '-1d': 'yesterday',
  '+1d': 'tomorrow',
  '-7d': '7 days ago',
  '-30d': '30 days ago',
  '-90d': '90 days ago',
  '+7d': 'in 7 days',
  '+30d': 'in 30 days',
  startOfWeek: 'start of this week',
  endOfWeek: 'end of this week',
  startOfMonth: 'start of this month',
  endOfMonth: 'end of this month',
  startOfQuarter: 'start of this quarter',
  endOfQuarter: 'end of this quarter',
  startOfYear: 'start of this year',
}

/** Returns a condition for people, such as `Amount ≥ €1,000`. */
export function conditionInWords(
  { field: key, op, value }: WireCondition,
  kind: Kind,
  names: ReadonlyMap<string, string>,
  currency: string,
): string {
  const field = kind.fields.find((one) => one.key === key)
  const label = field?.label ?? inWords(key.replace(/^cf_/, ''))
  const verb = operatorInWords(op, field?.type)
  if (value === undefined || value === null) return `${label} ${verb}`
  const texts = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    valueInWords(one, field, names, currency),
  )
  return `${label} ${verb} ${texts.join(op === 'between' ? ' and ' : ', ')}`
}

function valueInWords(
  value: unknown,
  field: Field | undefined,
  names: ReadonlyMap<string, string>,
  currency: string,
): string {
  const text = String(value)
  if (field === undefined) return text
  if (text === 'none') return 'none'
  if (dates.includes(field.type) && text in relativeDays) return relativeDays[text] as string
  if (field.type.startsWith('REFERENCE')) return text === 'me' ? 'me' : (names.get(text) ?? '…')
  if (field.type === 'BOOLEAN') return text === 'true' ? 'Yes' : 'No'
  if (field.type === 'MULTI_SELECT') return textOfValue(field, [value], noRecord)
  if (field.type === 'TAGS' || field.type === 'TEXT_LIST') return text
  if (field.type === 'DATETIME' && /^\d{4}-\d{2}-\d{2}$/.test(text))
    return textOfValue({ ...field, type: 'DATE' }, text, noRecord)
  return textOfValue(field, text, { ...noRecord, currency })
}

const noRecord = { id: '', version: 0 }

/** Returns a member of a filter for people; a group is named by its size. */
export function memberInWords(
  member: WireCondition | WireGroup,
  kind: Kind,
  names: ReadonlyMap<string, string>,
  currency: string,
): string {
  if ('field' in member) return conditionInWords(member, kind, names, currency)
  const texts = membersOf(member).map((one) => memberInWords(one, kind, names, currency))
  return texts.join('and' in member ? ' and ' : ' or ')
}
