import type { DeclaredOperation } from '@crm/contract'

/** The parameters that a call adds for a short answer, unless it sets them itself. */
export interface ShortAnswer {
  readonly defaults: Readonly<Record<string, string>>
}

/**
 * The fields by which people know a record and see its state, the most important first. Short answers show every field
 * with one of these names.
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

/** The names beside ids that tell a record's owner and state, and whom a task is for. */
const tellingNames: readonly string[] = ['owner', 'stage', 'company', 'links']

/** The number of entries in a short list by cursor. */
const shortListLimit = 15

/** Returns the parameters of an operation's short answers. */
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

/** Whether a field is shown in short answers; the amount due says more than the total that it is a part of. */
function tells(name: string, shape: object): boolean {
  return name in shape && !(name === 'total' && 'amountDue' in shape)
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the arguments of a call for a short answer; named fields get no additions, and values that the call fixes are not repeated. */
export function shortened(args: Fields, { defaults }: ShortAnswer): Fields {
  const { expand: _expand, fields, ...others } = defaults
  if ('fields' in args) return { ...others, ...args }
  const told = fields?.split(',').filter((name) => !isOneWord(args[name]))
  return { ...defaults, ...(told ? { fields: told.join(',') } : {}), ...args }
}

/** Whether a filter allows only one value. */
function isOneWord(value: unknown): boolean {
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  return values.length === 1 && typeof values[0] === 'string' && /^\w+$/.test(values[0])
}

/**
 * Returns the short answer of a change: of each record its telling fields and the sent ones, and of many records the failed ones.
 * Records of every answer lose their empty members.
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

/** Whether a value is a record: every record has an id and the time of its creation. */
function isRecord(value: unknown): boolean {
  return isFields(value) && typeof value['id'] === 'string' && 'createdAt' in value
}

/** Whether the outcome for one of many records says only that it was changed. */
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
