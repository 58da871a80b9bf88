import type { ScimFilter, ScimOperator, ScimValue } from './scim.filter.ts'
import { refused, type ScimChange } from './scim.operations.ts'

type Members = ReadonlyMap<string, unknown>

/**
 * Refuses changes with a condition in brackets that no value of their attribute matches in a resource, as directories see it. A
 * condition is compared in full: a part that the values do not have refuses it too.
 * @throws ApiError `noTarget`
 */
export function requireTargets(changes: readonly ScimChange[], resource: object): void {
  for (const { of } of changes) {
    if (of && !valuesOf(resource, of.values).some((value) => matches(membersOf(value), of.match)))
      throw refused('noTarget', `No value of ${of.values} matches the condition`)
  }
}

/** Returns the values of an attribute by its name in lower case; the attributes of an extension follow its URN after a colon. */
function valuesOf(resource: object, attribute: string): readonly unknown[] {
  const members = membersOf(resource)
  const extension = [...members.keys()].find((name) => attribute.startsWith(`${name}:`))
  const value =
    extension === undefined
      ? members.get(attribute)
      : membersOf(members.get(extension)).get(attribute.slice(extension.length + 1))
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** Returns the parts of a value by their names in lower case; a single value is its own `value`. */
function membersOf(value: unknown): Members {
  const parts = typeof value === 'object' && value !== null ? value : { value }
  return new Map(
    Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [[name.toLowerCase(), part]])),
  )
}

function matches(members: Members, filter: ScimFilter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.map((part) => matches(members, part)).every(Boolean)
    case 'or':
      return filter.parts.map((part) => matches(members, part)).some(Boolean)
    case 'not':
      return !matches(members, filter.part)
    case 'present':
      return known(members, filter.attribute) !== ''
    case 'compare':
      return compares(known(members, filter.attribute), filter.operator, filter.value)
    case 'some':
      throw incomparable(filter.attribute)
  }
}

function known(members: Members, name: string): unknown {
  if (!members.has(name)) throw incomparable(name)
  return members.get(name)
}

/** Compares like the filters of lists (scim.conditions.ts): letters in different case are alike. */
function compares(left: unknown, operator: ScimOperator, value: ScimValue): boolean {
  if (value === null && (operator === 'eq' || operator === 'ne')) return operator === 'ne'
  if (typeof left === 'boolean') return comparesTruth(left, operator, value)
  if (typeof left !== 'string' || typeof value !== 'string') throw incomparable(String(value))
  return comparesText(left.toLowerCase(), operator, value.toLowerCase())
}

function comparesTruth(left: boolean, operator: ScimOperator, value: ScimValue): boolean {
  const right = String(value).toLowerCase()
  if ((right !== 'true' && right !== 'false') || (operator !== 'eq' && operator !== 'ne')) throw incomparable(right)
  return (String(left) === right) === (operator === 'eq')
}

function comparesText(left: string, operator: ScimOperator, right: string): boolean {
  switch (operator) {
    case 'eq':
      return left === right
    case 'ne':
      return left !== right
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
  }
}

function incomparable(what: string) {
  return refused('noTarget', `Nothing here can be compared with ${what}`)
}
