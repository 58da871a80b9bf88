import { ApiError, invalidField } from '@crm/errors'
import type { Workspace } from '@crm/identity'
import { attributeName, isCoreSchema, parsePath, type ScimFilter } from './scim.filter.ts'

/** One change of one attribute, in whatever form a directory sent it. */
export interface ScimChange {
  /** `set`: a part of a whole resource, of which what is unknown is ignored. */
  readonly verb: 'add' | 'replace' | 'remove' | 'set'
  /** The attribute in lower case with its part, such as `name.givenname`; the URN of an extension stands before a colon. */
  readonly attribute: string
  /** The condition in brackets, and the attribute whose values it chooses. */
  readonly of: { readonly values: string; readonly match: ScimFilter } | null
  readonly value: unknown
}

const verbs = ['add', 'replace', 'remove'] as const
const operationsMax = 1_000

/** Reads the operations of a PATCH, RFC 7644, section 3.5.2, and the forms in which directories send them. */
export function readOperations(body: Readonly<Record<string, unknown>>): readonly ScimChange[] {
  const operations = keyed(body, /^operations$/i)['operations']
  if (!Array.isArray(operations) || operations.length === 0)
    throw refused('invalidSyntax', 'A change needs a list of Operations')
  if (operations.length > operationsMax) throw refused('tooMany', `A change has at most ${operationsMax} operations`)
  return operations.flatMap(readOperation)
}

/** Reads the attributes of a whole resource as changes. */
export function readResource(body: Readonly<Record<string, unknown>>): readonly ScimChange[] {
  return changesIn('set', body)
}

/** Returns the change of an attribute that the path of an operation names. */
function targeted(verb: ScimChange['verb'], path: string, value: unknown): ScimChange {
  const { attribute, of, sub } = parsePath(path)
  return {
    verb,
    attribute: sub === null ? attribute : `${attribute}.${sub}`,
    of: of && { values: attribute, match: of },
    value,
  }
}

function readOperation(operation: unknown): readonly ScimChange[] {
  const { op, path, value } = keyed(operation, /^(op|path|value)$/i)
  const verb = verbs.find((known) => typeof op === 'string' && op.toLowerCase() === known)
  if (!verb) throw refused('invalidSyntax', 'An operation is add, replace or remove')
  if (path === undefined || path === null || path === '') {
    if (verb === 'remove') throw refused('noTarget', 'A removal needs a path')
    return changesIn(verb, requireObject(value))
  }
  if (typeof path !== 'string' || path.length > 1_000) throw refused('invalidPath', 'The path cannot be read')
  const change = targeted(verb, path, value)
  if (verb === 'remove') return [change]
  if (value === undefined) throw refused('invalidValue', `${path} needs a value`)
  if (isNothing(verb, value)) return []
  return change.of === null && isObject(value) ? inside(verb, change.attribute, value) : [change]
}

/** Whether a change says nothing: null is absence, so only what replaces a value takes it away. */
function isNothing(verb: ScimChange['verb'], value: unknown): boolean {
  return value === null && verb !== 'replace'
}

type Given = Exclude<ScimChange['verb'], 'remove'>

/** A value without a path names its attributes, with their parts inside or after a dot. */
function changesIn(verb: Given, value: Readonly<Record<string, unknown>>): readonly ScimChange[] {
  refuseTwice(Object.keys(value).map(attributeName))
  return Object.entries(value).flatMap(([key, part]): readonly ScimChange[] => {
    if (isNothing(verb, part)) return []
    if (/[[\]]/.test(key)) return verb === 'set' ? [] : [targeted(verb, key, part)]
    const name = attributeName(key)
    return isObject(part) ? inside(verb, name, part) : [{ verb, attribute: name, of: null, value: part }]
  })
}

/** An object holds the parts of its attribute, all attributes of a core schema, or the value of a single attribute. */
function inside(verb: Given, name: string, value: Readonly<Record<string, unknown>>): readonly ScimChange[] {
  if (isCoreSchema(name)) {
    if (Object.keys(value).some((key) => isCoreSchema(attributeName(key))))
      throw refused('invalidSyntax', 'The attributes of a schema are no schema')
    return changesIn(verb, value)
  }
  return isNested(name) ? nested(verb, name, value) : [{ verb, attribute: name, of: null, value }]
}

/** The attributes whose parts stand inside: the name, and every extension. */
function isNested(name: string): boolean {
  return name === 'name' || (name.startsWith('urn:') && name.endsWith(':user'))
}

function nested(verb: Given, name: string, value: Readonly<Record<string, unknown>>): readonly ScimChange[] {
  const joint = name.startsWith('urn:') ? ':' : '.'
  refuseTwice(Object.keys(value).map((key) => key.toLowerCase()))
  return Object.entries(value).flatMap(([key, part]) =>
    isNothing(verb, part) ? [] : [{ verb, attribute: `${name}${joint}${key.toLowerCase()}`, of: null, value: part }],
  )
}

/** Returns an object with the names that count in lower case. */
function keyed(value: unknown, counting: RegExp): Readonly<Record<string, unknown>> {
  const entries = Object.entries(requireObject(value)).map(([key, part]): [string, unknown] => [
    counting.test(key) ? key.toLowerCase() : key,
    part,
  ])
  refuseTwice(entries.map(([key]) => key))
  return Object.fromEntries(entries)
}

function requireObject(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw refused('invalidSyntax', 'An operation without a path needs an object as its value')
  return value
}

/** Refuses an object that says the same in two spellings: which of them counts would be a guess. */
function refuseTwice(names: readonly string[]): void {
  const seen = new Set<string>()
  const twice = names.find((name) => seen.size === seen.add(name).size)
  if (twice !== undefined) throw refused('invalidSyntax', `${twice} is given twice`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a text, or null where there is none. */
export function textOf({ attribute, value }: ScimChange, charactersMax: number): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') throw invalidField(attribute, 'Expected a text')
  const text = value.trim()
  if (text.length > charactersMax) throw invalidField(attribute, `Expected at most ${charactersMax} characters`)
  return text === '' ? null : text
}

/** Returns a truth value, also one that was sent as the text True or False; undefined where there is none. */
export function truthOf({ attribute, value }: ScimChange): boolean | undefined {
  const plain: unknown = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  const inside = isObject(plain) ? plain['value'] : plain
  if (inside === null || inside === undefined) return undefined
  if (typeof inside === 'boolean') return inside
  const text = typeof inside === 'string' ? inside.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw invalidField(attribute, 'Expected true or false')
  return text === 'true'
}

/** Returns the `value` of a reference, which may stand alone, in an object or in a list of one. */
export function referenceOf(value: unknown): unknown {
  const plain: unknown = Array.isArray(value) ? (value[0] as unknown) : value
  return isObject(plain) ? plain['value'] : plain
}

/** Makes a refusal with one of the names of RFC 7644. */
export function refused(reason: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { message, reason })
}

/** Refuses changes of the people who can sign in when nobody else can: no directory locks them out. */
export function refuseBreakGlass({ signInPolicy }: Workspace, people: Iterable<string>): void {
  for (const id of people)
    if (signInPolicy.breakGlassUserIds.includes(id))
      throw new ApiError('ACCESS_DENIED', { message: 'Directories do not change the people of the emergency access' })
}
