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

function leastOf(schema: z.ZodType): unknown {
  const plain = withoutWrapping(schema)
  const { type, shape, element, options, entries, values } = definitionOf(plain)
  if (type === 'object' && shape)
    return Object.fromEntries(
      Object.entries(shape)
        .filter(([, part]) => !part.safeParse(undefined).success)
        .map(([key, part]) => [key, leastOf(part)]),
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
