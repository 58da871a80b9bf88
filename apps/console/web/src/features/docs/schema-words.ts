import { resolveSchema, type ApiDocument, type Schema } from './reference.ts'

/** Describes the type of a value in a few words, such as `string (uuid) or null`. */
export function describeType(document: ApiDocument, schema: Schema): string {
  const known = resolveSchema(document, schema)
  const choices = known.anyOf ?? known.oneOf
  if (choices !== undefined) return [...new Set(choices.map((choice) => describeType(document, choice)))].join(' or ')
  if (known.const !== undefined) return JSON.stringify(known.const)
  const names = typesOf(known).map((type) =>
    type === 'array' ? `list of ${known.items === undefined ? 'anything' : describeType(document, known.items)}` : type,
  )
  const type = names.length === 0 ? (known.properties === undefined ? 'anything' : 'object') : names.join(' or ')
  return known.format === undefined ? type : type.replace(/^string/, `string (${known.format})`)
}

function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

/** Describes the limits of a value, each in a few words. */
export function describeLimits(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'entries'),
    pattern === undefined ? '' : `matches ${pattern}`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean)
}

function range(min: number | undefined, max: number | undefined, of: string): string {
  const unit = of === '' ? '' : ` ${of}`
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`
  if (min !== undefined) return `at least ${min}${unit}`
  return max === undefined ? '' : `at most ${max}${unit}`
}

/** Returns the values of a closed set, except null. */
export function enumerated(schema: Schema): readonly string[] {
  return (schema.enum ?? []).filter((value) => value !== null).map(String)
}

/** Returns the members of an object, or of the objects in a list; none for anything else. */
export function membersOf(
  document: ApiDocument,
  schema: Schema,
): readonly { readonly name: string; readonly schema: Schema; readonly required: boolean }[] {
  const known = resolveSchema(document, schema)
  if (known.properties === undefined) {
    const [only] = (known.anyOf ?? known.oneOf ?? []).filter(({ type }) => type !== 'null')
    const inner = known.items ?? only
    return inner === undefined ? [] : membersOf(document, inner)
  }
  return Object.entries(known.properties).map(([name, member]) => ({
    name,
    schema: member,
    required: known.required?.includes(name) ?? false,
  }))
}

const sampleTexts: Readonly<Record<string, string>> = {
  firstName: 'Ada',
  lastName: 'King',
  companyName: 'Example Ltd',
  email: 'ada@example.org',
  phone: '+493012345678',
  name: 'Example',
  body: 'A comment',
}

const samplesByFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-7000-8000-000000000000',
  'date-time': '2026-01-31T09:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.org',
  uri: 'https://example.org',
}

const optionalMembersShown = 4

/** Returns a body to begin with: the required members, or the first few when none is required. */
export function sampleBody(document: ApiDocument, schema: Schema): unknown {
  return sampleOf(document, schema, '', 0)
}

function sampleOf(document: ApiDocument, schema: Schema, name: string, depth: number): unknown {
  const known = resolveSchema(document, schema)
  const [choice] = known.anyOf ?? known.oneOf ?? []
  if (choice !== undefined) return sampleOf(document, choice, name, depth)
  if (known.const !== undefined) return known.const
  if (known.default !== undefined) return known.default
  const [value] = enumerated(known)
  if (value !== undefined) return value
  const [type] = typesOf(known)
  if (type === 'object' || known.properties !== undefined) return sampleObject(document, known, depth)
  if (type === 'array')
    return known.items === undefined || (known.minItems ?? 0) === 0
      ? []
      : [sampleOf(document, known.items, name, depth + 1)]
  if (type === 'integer' || type === 'number') return known.minimum ?? 1
  if (type === 'boolean') return true
  return samplesByFormat[known.format ?? ''] ?? sampleTexts[name] ?? 'text'
}

function sampleObject(document: ApiDocument, { properties = {}, required = [] }: Schema, depth: number): unknown {
  const names = required.length > 0 || depth > 0 ? required : Object.keys(properties).slice(0, optionalMembersShown)
  return Object.fromEntries(
    names.flatMap((name) =>
      properties[name] === undefined ? [] : [[name, sampleOf(document, properties[name], name, depth + 1)]],
    ),
  )
}
