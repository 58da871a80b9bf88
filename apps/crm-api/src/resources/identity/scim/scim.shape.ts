import { scimPage, scimSchemas } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { attributeName } from './scim.filter.ts'

/** The choice of a caller for the attributes of an answer. */
export interface AskedShape {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Attributes that every answer has. */
const always = ['schemas', 'id']

/** Returns a resource with the asked attributes, or without the excluded ones (RFC 7644, section 3.9). */
export function shaped<Resource extends object>(resource: Resource, { attributes, excludedAttributes }: AskedShape) {
  const asked = namesIn(attributes)
  const excluded = namesIn(excludedAttributes)
  if (asked.length === 0 && excluded.length === 0) return resource
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
      const name = key.toLowerCase()
      if (always.includes(name)) return [[key, value]]
      const part = asked.length > 0 ? picked(value, name, asked) : omitted(value, name, excluded)
      return part === undefined ? [] : [[key, part]]
    }),
  ) as Resource
}

/** Whether an answer has an attribute. */
export function wants(name: string, { attributes, excludedAttributes }: AskedShape): boolean {
  const asked = namesIn(attributes)
  if (asked.length > 0) return asked.some((each) => each === name || each.startsWith(`${name}.`))
  return !namesIn(excludedAttributes).includes(name)
}

function namesIn(list: string | undefined): readonly string[] {
  return (list ?? '')
    .split(',')
    .map((name) => attributeName(name.trim()))
    .filter((name) => name !== '')
}

function picked(value: unknown, name: string, asked: readonly string[]): unknown {
  if (asked.includes(name)) return value
  const subs = subsOf(name, asked)
  return subs.length === 0 ? undefined : mapParts(value, (sub) => subs.includes(sub))
}

function omitted(value: unknown, name: string, excluded: readonly string[]): unknown {
  if (excluded.includes(name)) return undefined
  const subs = subsOf(name, excluded)
  return subs.length === 0 ? value : mapParts(value, (sub) => !subs.includes(sub))
}

/** The attributes of an extension follow its URN after a colon, all others after a dot. */
function subsOf(name: string, names: readonly string[]): readonly string[] {
  return names.flatMap((each) =>
    each.startsWith(`${name}.`) || each.startsWith(`${name}:`) ? [each.slice(name.length + 1)] : [],
  )
}

function mapParts(value: unknown, isKept: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => mapParts(part, isKept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => isKept(key.toLowerCase())))
}

/** A page of a list: the first resource is number 1. */
export interface AskedPage {
  readonly startIndex: number
  readonly count: number
}

/** Reads a page; a start below 1 means 1 and a count below 0 means 0 (RFC 7644, section 3.4.2.4). */
export function readPage(query: {
  readonly startIndex?: string | undefined
  readonly count?: string | undefined
}): AskedPage {
  return {
    startIndex: Math.max(1, readNumber(query.startIndex, 1)),
    count: Math.min(scimPage.countMax, Math.max(0, readNumber(query.count, scimPage.count))),
  }
}

/** Returns a page of resources in the form of the protocol. */
export function listed<Resource>(total: number, { startIndex }: AskedPage, resources: readonly Resource[]) {
  return {
    schemas: [scimSchemas.list],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  }
}

function readNumber(text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new ApiError('VALIDATION_ERROR', { message: 'startIndex and count are whole numbers' })
  return Number(text)
}
