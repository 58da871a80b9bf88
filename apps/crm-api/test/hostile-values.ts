import type { z } from 'zod'

/** Hostile values in a body: values that break JavaScript, PostgreSQL or a calendar. */
export const hostileValues: readonly unknown[] = [
  null,
  -1,
  2 ** 31,
  2 ** 53 - 1,
  1e308,
  '',
  '\0',
  '\ud800',
  '🙂'.repeat(120),
  'x'.repeat(20_000),
  '__proto__',
  'constructor',
  '999999999999.999999',
  '9'.repeat(400),
  '2026-02-30',
  '0000-01-01',
  '9999-12-31T23:59:59-14:00',
  [null],
  {},
  JSON.parse('{"__proto__":{"a":"\ud800"}}'),
]

/** Hostile texts in a query or a path. */
export const hostileTexts: readonly string[] = [
  '',
  '\0',
  'x'.repeat(3_000),
  "__proto__%_\\'",
  ',',
  '-1',
  '999999999999999',
  '9'.repeat(400),
  '2026-02-30',
  '0000-01-01',
  '9999-12-31T23:59:59-14:00',
  'eyJhIjoxfQ',
  'constructor',
  'sum:constructor',
]

/** Names that every object inherits. */
export const inheritedNames: readonly string[] = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

/** A hostile value inside the part of a request around it. */
export class Hostile {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** A hostile value in one place of a request. */
export interface Sending {
  /** Such as `items.0.price`. */
  readonly place: string
  /** The part of the request, with a `Hostile` in that place. */
  readonly part: unknown
}

/** Several values that one request holds. */
export interface Shared {
  readonly sendings: readonly Sending[]
  readonly part: unknown
}

/** Returns a part as it is sent. */
export function filled(part: unknown): unknown {
  if (part instanceof Hostile) return part.value
  if (Array.isArray(part)) return part.map(filled)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, filled(inner)]))
}

/** Puts values into few requests: those of different places share one, where it is still fit to be sent. */
export function shareRequests(sendings: readonly Sending[], isFit: (part: unknown) => boolean): readonly Shared[] {
  const requests: { sendings: Sending[]; part: unknown }[] = []
  for (const sending of sendings)
    if (!requests.some((request) => take(request, sending, isFit)))
      requests.push({ sendings: [sending], part: sending.part })
  return requests
}

/** Adds a value to a request that has room for it. */
function take(
  request: { sendings: Sending[]; part: unknown },
  sending: Sending,
  isFit: (part: unknown) => boolean,
): boolean {
  if (request.sendings.some(({ place }) => place === sending.place)) return false
  const part = joint(request.part, sending.part)
  if (part === undefined || !isFit(part)) return false
  request.part = part
  request.sendings.push(sending)
  return true
}

/** Returns one part with the hostile values of two; undefined where one would stand in the way of the other. */
function joint(one: unknown, other: unknown): unknown {
  if (one instanceof Hostile) return isHarmless(other) ? one : undefined
  if (other instanceof Hostile) return isHarmless(one) ? other : undefined
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other ? one : undefined
  const joined: Record<string, unknown> = { ...one }
  for (const [key, inner] of Object.entries(other)) {
    joined[key] = Object.hasOwn(one, key) ? joint(joined[key], inner) : inner
    if (joined[key] === undefined) return undefined
  }
  return Array.isArray(one) ? Object.values(joined) : joined
}

function isHarmless(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return true
  return !(part instanceof Hostile) && Object.values(part).every(isHarmless)
}

/** A place in a body: its name, such as `items.0.price`, and the function that puts a value there. */
export interface Place {
  readonly name: string
  put(value: unknown): unknown
}

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
  readonly entries?: Readonly<Record<string, unknown>>
  readonly values?: readonly unknown[]
}

const nestingMax = 4

/** Returns every place in a schema; around a deep place stands the smallest valid body. */
export function placesIn(
  schema: z.ZodType,
  name = '',
  put: Place['put'] = (value) => value,
  nesting = 0,
): readonly Place[] {
  const own = name === '' ? [] : [{ name, put }]
  if (nesting > nestingMax) return own
  const below = (part: z.ZodType, key: string, around: Place['put']) =>
    placesIn(part, name === '' ? key : `${name}.${key}`, (value) => put(around(value)), nesting + 1)
  const plain = withoutWrapping(schema)
  const { type, shape, element, options, valueType } = definitionOf(plain)
  if (type === 'object' && shape) {
    const rest = leastOf(plain) as object
    return [
      ...own,
      ...Object.entries(shape).flatMap(([key, part]) => below(part, key, (value) => ({ ...rest, [key]: value }))),
    ]
  }
  if (type === 'array' && element) return [...own, ...below(element, '0', (value) => [value])]
  if (type === 'record' && valueType) return [...own, ...below(valueType, 'anything', (value) => ({ anything: value }))]
  if (type === 'union' && options)
    return [
      ...own,
      ...options.flatMap((option) => placesIn(option, name, put, nesting).filter((place) => place.name !== name)),
    ]
  return own
}

const plainValues: readonly unknown[] = [
  'sample',
  '01890000-0000-7000-8000-000000000000',
  '2026-03-04',
  '2026-03-04T05:06:07Z',
  'a@example.com',
  '+4930123456',
  'https://hooks.example.com/a',
  '1',
  '09:00',
  'EUR',
  'LEAD',
  'Europe/Berlin',
  '#aabbcc',
  'lead.created',
  'en',
  '{SEQ}',
  'a long password',
  1,
  true,
  {},
]

/** Texts that mean something, for members that are any text to their schema: around them a hostile value gets further. */
const namedValues: Readonly<Record<string, unknown>> = {
  entityType: 'LEAD',
  event: 'lead.created',
  resource: 'leads',
  url: 'https://hooks.example.com/a',
}

function leastOf(schema: z.ZodType, name = ''): unknown {
  const named = namedValues[name]
  if (named !== undefined && schema.safeParse(named).success) return named
  const plain = withoutWrapping(schema)
  const { type, shape, element, options, entries, values } = definitionOf(plain)
  if (type === 'object' && shape)
    return Object.fromEntries(
      Object.entries(shape)
        .filter(([, part]) => !part.safeParse(undefined).success)
        .map(([key, part]) => [key, leastOf(part, key)]),
    )
  if (type === 'array' && element) return plain.safeParse([]).success ? [] : [leastOf(element)]
  if (type === 'union' && options?.[0]) return leastOf(options[0])
  if (type === 'enum' && entries) return Object.values(entries)[0]
  if (type === 'literal') return values?.[0]
  return plainValues.find((value) => schema.safeParse(value).success) ?? null
}

/** Returns the schema of the sent value, without `optional`, `default` and the like, and without transforms. */
function withoutWrapping(schema: z.ZodType): z.ZodType {
  const { type, innerType, in: input, out } = definitionOf(schema)
  if (innerType) return withoutWrapping(innerType)
  if (type !== 'pipe' || !input || !out) return schema
  return withoutWrapping(definitionOf(input).type === 'transform' ? out : input)
}

function definitionOf(schema: z.ZodType): Definition {
  return schema.def
}
