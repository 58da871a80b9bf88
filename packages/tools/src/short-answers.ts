import type { DeclaredOperation } from '@crm/contract'

/** What a call sends where its answer is to be short, unless it says otherwise. */
export interface ShortAnswer {
  readonly defaults: Readonly<Record<string, string>>
}

/**
 * The fields by which people know a record and see how it stands, in the order in which they count. Whatever has fields of these names
 * shows them in short answers.
 */
const tellingFields = [
  'number',
  'name',
  'title',
  'subject',
  'firstName',
  'lastName',
  'companyName',
  'type',
  'status',
  'temperature',
  'amount',
  'total',
  'amountDue',
  'currency',
  'expectedCloseDate',
  'dueAt',
  'dueDate',
  'startAt',
] as const

/** The names beside ids that say whose a record is and where it stands. */
const tellingNames: readonly string[] = ['owner', 'stage', 'company']

/** How many entries a short list by cursor has. */
const shortListLimit = 15

/** What short answers of an operation send. */
export function shortAnswerOf({ operation: { shaped, query, method }, key }: DeclaredOperation): ShortAnswer {
  const params = query?.shape ?? {}
  if (method !== 'GET' || !('compact' in params)) return { defaults: {} }
  const isCursorList = 'cursor' in params
  const fields = shaped && key !== 'get' ? tellingFields.filter((name) => tells(name, shaped.record.shape)) : []
  const expand = tellingNames.filter((name) => shaped && name in shaped.expandable)
  return {
    defaults: {
      ...(fields.length > 0 ? { fields: fields.join(',') } : {}),
      ...(expand.length > 0 ? { expand: expand.join(',') } : {}),
      ...(isCursorList ? { limit: String(shortListLimit) } : {}),
      compact: 'true',
    },
  }
}

/** What is due tells more than the total that it is a part of. */
function tells(name: string, shape: object): boolean {
  return name in shape && !(name === 'total' && 'amountDue' in shape)
}

type Fields = Readonly<Record<string, unknown>>

/** The arguments of a call whose answer is to be short; who names the fields gets no others, and what the call fixes is not told back. */
export function shortened(args: Fields, { defaults }: ShortAnswer): Fields {
  const { expand: _expand, fields, ...others } = defaults
  if ('fields' in args) return { ...others, ...args }
  const told = fields?.split(',').filter((name) => !isOneWord(args[name]))
  return { ...defaults, ...(told ? { fields: told.join(',') } : {}), ...args }
}

/** Whether a filter leaves one value alone. */
function isOneWord(value: unknown): boolean {
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  return values.length === 1 && typeof values[0] === 'string' && /^\w+$/.test(values[0])
}

/**
 * The answer of a change in short: of each record what tells it and what was sent, and of many records those that failed. Records of every
 * answer lose what is empty.
 *
 * @param sent the names of the arguments
 */
export function shortBody(body: unknown, isChange: boolean, sent: readonly string[]): unknown {
  const kept = new Set<string>(['id', 'mergedIntoId', ...tellingFields, ...sent])
  const shorten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((item) => !isPlainSuccess(item)).map(shorten)
    if (!isFields(value)) return value
    const members = Object.entries(value)
      .filter(([name, member]) => !isChange || !isRecord(value) || kept.has(name) || isRecord(member))
      .map(([name, member]) => [name, shorten(member)] as const)
    return Object.fromEntries(isRecord(value) ? members.filter(([, member]) => !isEmpty(member)) : members)
  }
  return shorten(body)
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Every record has an id and the time at which it was made. */
function isRecord(value: unknown): boolean {
  return isFields(value) && typeof value['id'] === 'string' && 'createdAt' in value
}

/** What says of one of many records only that it was changed. */
function isPlainSuccess(value: unknown): boolean {
  return (
    isFields(value) &&
    value['status'] === 'OK' &&
    Object.keys(value).every((name) => name === 'id' || name === 'status')
  )
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
