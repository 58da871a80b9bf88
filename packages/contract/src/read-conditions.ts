/** The most values of one filter. */
export const filterValuesMax = 50

/** The operators of structured filters. A field has the ones of its type (docs/guide/lists.md). */
export const filterOperators = [
  'is',
  'isNot',
  'in',
  'contains',
  'startsWith',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'empty',
  'notEmpty',
] as const
export type FilterOperator = (typeof filterOperators)[number]

/** The bounds of a structured filter. `levels` counts the group itself and the groups in it. */
export const structuredLimits = { conditions: 20, levels: 2, characters: 4_000 } as const

/** The details of a refusal of one of several values, besides its message. */
export interface WrongValue {
  readonly wrong: string
  /** The accepted values, where they can be listed. */
  readonly known: readonly string[]
}

/** One value that a field is compared with. */
export type ConditionValue = string | number | boolean

/** A comparison of one field. */
export interface Condition {
  /** A field of the record, or `cf_<key>`. */
  readonly field: string
  readonly op: FilterOperator
  /** Several values for `in`, two for `between`, none for `empty` and `notEmpty`, one for all others. */
  readonly values: readonly ConditionValue[]
}

/** Conditions and groups of them, of which all or any must hold. */
export interface ConditionGroup {
  readonly match: 'and' | 'or'
  readonly members: readonly (Condition | ConditionGroup)[]
}

/** Returns the conditions of a group, including the ones in its groups. */
export function conditionsIn({ members }: ConditionGroup): readonly Condition[] {
  return members.flatMap((member) => ('match' in member ? conditionsIn(member) : [member]))
}

/** The reason for which a filter is refused, with the wrong word and the known ones where there are some. */
export class RefusedFilter extends Error {
  readonly wrong: WrongValue | undefined

  constructor(message: string, wrong?: WrongValue) {
    super(message)
    this.wrong = wrong
  }
}

const example = '{"and":[{"field":"createdAt","op":"gte","value":"-30d"}]}'

/**
 * Reads a structured filter from its JSON into groups and conditions. Its fields are checked against the list.
 *
 * @throws {RefusedFilter} for any other text
 */
export function readConditions(text: string): ConditionGroup {
  return groupOf(parsed(text), structuredLimits.levels)
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (conditionCount(value, structuredLimits.levels) <= structuredLimits.conditions) return value
  } catch {
    throw new RefusedFilter(`Expected JSON such as ${example}`)
  }
  throw new RefusedFilter(`Expected at most ${structuredLimits.conditions} conditions`)
}

/** Counts conditions no deeper than the allowed levels; deeper groups are refused later. */
function conditionCount(value: unknown, levels: number): number {
  const members = isObject(value) ? (value['and'] ?? value['or']) : undefined
  if (!Array.isArray(members) || levels === 0) return 1
  return members.reduce<number>((count, member) => count + conditionCount(member, levels - 1), 0)
}

function groupOf(value: unknown, levels: number): ConditionGroup {
  const names = isObject(value) ? Object.keys(value) : []
  const [match] = names
  const members = isObject(value) && match !== undefined ? value[match] : undefined
  if (names.length !== 1 || (match !== 'and' && match !== 'or') || !Array.isArray(members) || members.length === 0)
    throw new RefusedFilter(`Expected "and" or "or" with a list of conditions, such as ${example}`)
  if (levels === 0) throw new RefusedFilter(`Expected groups at most ${structuredLimits.levels} levels deep`)
  return {
    match,
    members: members.map((member: unknown) =>
      isObject(member) && ('and' in member || 'or' in member) ? groupOf(member, levels - 1) : conditionOf(member),
    ),
  }
}

function conditionOf(value: unknown): Condition {
  const { field, op, value: operand, ...others } = isObject(value) ? value : {}
  if (typeof field !== 'string' || typeof op !== 'string' || Object.keys(others).length > 0)
    throw new RefusedFilter('Expected a condition with field, op and value')
  const known = filterOperators.find((one) => one === op)
  if (!known)
    throw new RefusedFilter(`${op} is none of ${filterOperators.join(', ')}`, { wrong: op, known: filterOperators })
  return { field, op: known, values: valuesOf(field, known, operand) }
}

function valuesOf(field: string, op: FilterOperator, operand: unknown): readonly ConditionValue[] {
  if (op === 'empty' || op === 'notEmpty') {
    if (operand === undefined || operand === null) return []
    throw new RefusedFilter(`${field}: ${op} takes no value`)
  }
  const isList = op === 'in' || op === 'between'
  const values: readonly unknown[] = isList && Array.isArray(operand) ? operand : isList ? [] : [operand]
  if (op === 'between' && values.length !== 2) throw new RefusedFilter(`${field}: between takes two values`)
  if (values.length === 0 || values.length > filterValuesMax)
    throw new RefusedFilter(`${field}: in takes 1 to ${filterValuesMax} values`)
  if (values.every(isValue)) return values
  throw new RefusedFilter(
    `${field}: ${op} takes ${isList ? 'texts, numbers or true and false' : 'a text, a number, true or false'}`,
  )
}

/** Texts with NUL or with half a surrogate pair cannot be compared in the database. */
function isValue(value: unknown): value is ConditionValue {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value)
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
