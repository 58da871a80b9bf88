import type { FilterOperator } from '@crm/contract'
import { inWords } from '../field-words.ts'
import { textOfValue } from '../value-words.ts'
import { numberTypes, type Field, type Kind } from '../record-kinds.ts'
import { membersOf, type WireCondition, type WireGroup } from './list-address.ts'
import { t } from '../../base/texts.ts'

const dates: readonly Field['type'][] = ['DATE', 'DATETIME']

const words: Readonly<Record<FilterOperator, string>> = {
  is: t('is'),
  isNot: t('is not'),
  in: t('is any of'),
  contains: t('contains'),
  startsWith: t('starts with'),
  gt: t('is after'),
  gte: t('is on or after'),
  lt: t('is before'),
  lte: t('is on or before'),
  between: t('is between'),
  empty: t('is empty'),
  notEmpty: t('is not empty'),
}
const signs: Partial<Record<FilterOperator, string>> = { is: '=', isNot: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' }

/** Returns an operator in words, as a field of a type has it. */
export function operatorInWords(op: FilterOperator, type: Field['type'] | undefined): string {
  return (type !== undefined && numberTypes.includes(type) ? signs[op] : undefined) ?? words[op]
}

/** The days that people choose by words, by what the API calls them. */
export const relativeDays: Readonly<Record<string, string>> = {
  today: t('today'),
  '-1d': t('yesterday'),
  '+1d': t('tomorrow'),
  '-7d': t('7 days ago'),
  '-30d': t('30 days ago'),
  '-90d': t('90 days ago'),
  '+7d': t('in 7 days'),
  '+30d': t('in 30 days'),
  startOfWeek: t('start of this week'),
  endOfWeek: t('end of this week'),
  startOfMonth: t('start of this month'),
  endOfMonth: t('end of this month'),
  startOfQuarter: t('start of this quarter'),
  endOfQuarter: t('end of this quarter'),
  startOfYear: t('start of this year'),
}

/** Returns a condition for people, such as `Amount ≥ €1,000`. */
function conditionInWords(
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
  return `${label} ${verb} ${op === 'between' ? inOneLine(texts, 'and') : texts.join(', ')}`
}

function valueInWords(
  value: unknown,
  field: Field | undefined,
  names: ReadonlyMap<string, string>,
  currency: string,
): string {
  const text = String(value)
  if (field === undefined) return text
  if (text === 'none') return t('none')
  if (dates.includes(field.type) && text in relativeDays) return relativeDays[text] as string
  if (field.type.startsWith('REFERENCE')) return text === 'me' ? t('me') : (names.get(text) ?? '…')
  if (field.type === 'BOOLEAN') return text === 'true' ? t('Yes') : t('No')
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
  return inOneLine(texts, 'and' in member ? 'and' : 'or')
}

function inOneLine(texts: readonly string[], by: 'and' | 'or'): string {
  return texts.reduce((first, second) =>
    t(by === 'and' ? '{first} and {second}' : '{first} or {second}', { first, second }),
  )
}
