import { own, type TextForm } from '@crm/contract'
import type { JsonSchema } from './compact-schema.ts'
import { dayOf, momentOf } from './other-dates.ts'

/** The error for an id whose kind differs from the argument's kind. */
export class WrongKindError extends Error {
  readonly argument: string

  constructor(argument: string, sent: string, wanted: string) {
    super(`${argument} takes the id of ${withArticle(wanted)}, not of ${withArticle(sent)}`)
    this.name = 'WrongKindError'
    this.argument = argument
  }
}

/** The facts that the reading of a tool's arguments needs. */
export interface Reading {
  /** Everything that is known of the arguments (`rawInput`). */
  readonly schema: JsonSchema
  /** The kind of the record that `id` names, such as `lead`; null where there is none, or where `key` names it. */
  readonly noun: string | null
  /** The kind of the records that the tool works on: a comment, where `id` names the task that it stands on. */
  readonly own: string | null
}

type Fields = Readonly<Record<string, unknown>>

/** The position of a value. */
interface Place {
  readonly name: string
  /** The kind of record that `id` names here. */
  readonly noun: string | null
  /** The members beside the value. */
  readonly beside: Fields
}

/**
 * Converts arguments into the form of the API: ids without a kind prefix, numbers as decimal strings where the API wants them, known words
 * and names of kinds in their own spelling. The API itself checks everything else.
 *
 * @throws {WrongKindError} for an id of another kind than the argument takes
 */
export function readArguments(args: Fields, { schema, noun }: Reading): Fields {
  const key = typeof args['key'] === 'string' ? args['key'].toLowerCase() : null
  return readMembers(args, membersOf(schema), noun ?? key)
}

function membersOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>
}

function readMembers(fields: Fields, schemas: Readonly<Record<string, JsonSchema>>, noun: string | null): Fields {
  const read = Object.entries(fields).map(([name, value]) => {
    const schema = own(schemas, name)
    return [name, schema ? readValue(value, schema, { name, noun, beside: fields }) : value]
  })
  return Object.fromEntries(read) as Fields
}

function readValue(value: unknown, schema: JsonSchema, place: Place): unknown {
  const variants = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (schema[keyword] ?? []) as readonly JsonSchema[])
  const read = variants.reduce((sent, variant) => readValue(sent, variant, place), value)
  if (Array.isArray(read)) return readList(read, schema, place)
  if (typeof read === 'string') return readText(read, schema, place)
  if (typeof read === 'number') return formOf(schema)?.form === 'decimal' ? String(read) : read
  if (typeof read !== 'object' || read === null) return read
  if (schema['format'] === 'uuid') return idOf(read as Fields, place)
  if (!('properties' in schema)) return read
  // The id within `contact` is the id of a contact.
  return readMembers(read as Fields, membersOf(schema), place.name)
}

function readList(values: readonly unknown[], schema: JsonSchema, place: Place): unknown {
  const { items } = schema
  if (items !== undefined) return values.map((value) => readValue(value, items as JsonSchema, place))
  return isSeveral(schema)
    ? values.map((value) => (typeof value === 'string' ? readPart(value, schema, place) : value))
    : values
}

function readText(text: string, schema: JsonSchema, place: Place): string {
  if (!isSeveral(schema)) return readPart(text, schema, place)
  return text
    .split(',')
    .map((part) => readPart(part.trim(), schema, place))
    .join(',')
}

/** Whether a text may hold several values, separated by commas. */
function isSeveral(schema: JsonSchema): boolean {
  const form = formOf(schema)?.form
  return form === 'ids' || form === 'words' || form === 'entityTypes'
}

function readPart(text: string, schema: JsonSchema, place: Place): string {
  const form = formOf(schema)
  if (form?.form === 'ids' || schema['format'] === 'uuid') return withoutKind(text, place)
  if (form?.form === 'entityType')
    return text
      .trim()
      .toUpperCase()
      .replaceAll(/[\s-]+/g, '_')
  if (schema['format'] === 'date-time') return momentOf(text)
  if (schema['format'] === 'date') return dayOf(text)
  const words = form?.form === 'words' ? form.values : ((schema['enum'] ?? []) as readonly unknown[])
  return spelled(text, words)
}

/** Returns a word in its defined spelling, for any case of letters and any signs between them. */
function spelled(text: string, words: readonly unknown[]): string {
  if (words.includes(text)) return text
  const plain = lettersOf(text)
  const [word, other] = words.filter((one) => typeof one === 'string' && lettersOf(one) === plain)
  return typeof word === 'string' && other === undefined ? word : text
}

/** Returns the letters and digits of a word in small letters, which spellings of one word share. */
export function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Returns the id of an object that holds nothing else. */
function idOf(fields: Fields, place: Place): unknown {
  const { id, ...others } = fields
  return typeof id === 'string' && Object.keys(others).length === 0 ? withoutKind(id, place) : fields
}

function formOf(schema: JsonSchema): TextForm | undefined {
  return schema['form'] as TextForm | undefined
}

const plainId = /^\s*[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\s*$/i
const namedId = /^([a-z][a-z0-9_]*):([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/i

function withoutKind(text: string, place: Place): string {
  if (plainId.test(text)) return text.trim().toLowerCase()
  const [, kind, id] = namedId.exec(text.trim()) ?? []
  if (kind === undefined || id === undefined) return text
  const wanted = kindsOf(place)
  if (!wanted.includes(kind.toLowerCase()))
    throw new WrongKindError(place.name, kind.toLowerCase(), wanted[0] ?? 'a record')
  return id
}

/** Fields that refer to people under other names. */
const people = /^(owner|assignee|manager|member|actor|author|creator|mention|participant|by)$/

/** Returns the kinds that an id of this name may have, as in the prefix before the colon. */
function kindsOf({ name, noun, beside }: Place): readonly string[] {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/_ids?$/, '')
  const last = words.split('_').at(-1)?.replace(/s$/, '') ?? ''
  if (words === 'entity' || words === 'related') return kindBeside(beside[`${words}Type`])
  if (words === 'created_by' || words === 'user' || people.test(last)) return ['employee']
  const own = noun === null ? [] : [noun]
  // Merged records are of the same kind as the record that they are merged into.
  if (['id', 'ids', 'parent'].includes(words) || name === 'sourceIds') return own
  return [words, last]
}

function kindBeside(entityType: unknown): readonly string[] {
  return typeof entityType === 'string'
    ? [
        entityType
          .trim()
          .toLowerCase()
          .replaceAll(/[\s-]+/g, '_'),
      ]
    : []
}

function withArticle(noun: string): string {
  const words = noun.replaceAll('_', ' ')
  if (words.startsWith('a ')) return words
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`
}
