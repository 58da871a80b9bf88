import { fieldsNamed } from '@crm/tables/field-titles'
import { suggestionsFor } from '@crm/errors'
import { kindOf } from '@crm/model'
import { variantsOf, type JsonSchema } from './compact-schema.ts'
import { lettersOf, type Reading } from './read-arguments.ts'

type Fields = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, JsonSchema>>

/** The kinds of record whose names stand before names of arguments, as in `leadId` and `dealName`. */
type Kinds = Pick<Reading, 'noun' | 'own'>

/** Members in which some clients wrap all arguments. */
const wrappers: ReadonlySet<string> = new Set(
  'data body params parameters arguments args input payload record attributes properties values json request'.split(
    ' ',
  ),
)

/**
 * Returns arguments under the names of a tool where they can mean nothing else: the same letters in another case or with other signs, the kind of record in front,
 * a reference without `Id` that holds an id, all arguments within one. A name that could be another's stays, and is refused.
 */
export function respelled(args: Fields, schemas: Schemas, kinds: Kinds): Fields {
  return named(unwrapped(args, schemas, kinds), schemas, kinds)
}

function named(fields: Fields, schemas: Schemas, kinds?: Kinds): Fields {
  const found = Object.entries(fields).map(
    ([name, value]) => [name, value, nameFor(name, value, schemas, kinds)] as const,
  )
  const isTaken = (wanted: string): boolean =>
    wanted in fields || found.filter(([, , other]) => other === wanted).length > 1
  return Object.fromEntries(
    found.map(([name, value, wanted = name]) => {
      const own = wanted === name || isTaken(wanted) ? name : wanted
      return [own, membersNamed(value, schemas[own])]
    }),
  )
}

function membersNamed(value: unknown, schema: JsonSchema | undefined): unknown {
  if (!schema || value === null || typeof value !== 'object') return value
  const forms = variantsOf(schema)
  const items = forms.find((form) => 'items' in form)?.['items'] as JsonSchema | undefined
  if (Array.isArray(value)) return value.map((one) => membersNamed(one, items))
  // One object may stand for a list of it.
  if (items) return membersNamed(value, items)
  const members = forms.find((form) => 'properties' in form)?.['properties'] as Schemas | undefined
  return members ? named(value as Fields, members) : value
}

/** Returns the only argument that a name can mean; undefined where there is none. */
function nameFor(name: string, value: unknown, schemas: Schemas, kinds?: Kinds): string | undefined {
  if (name in schemas || name.startsWith('cf_')) return undefined
  const letters = lettersOf(name)
  const only = (wanted: string): string | undefined => {
    const alike = Object.keys(schemas).filter((known) => lettersOf(known) === wanted)
    return alike.length === 1 ? alike[0] : undefined
  }
  const afterKind = (kind: string | null | undefined): string | undefined => {
    const prefix = lettersOf(kind ?? '')
    const rest = prefix !== '' && letters.startsWith(prefix) ? letters.slice(prefix.length) : ''
    // The id of another record than `id` names is no `id`.
    return rest === '' || (rest === 'id' && kind !== kinds?.noun) ? undefined : only(rest)
  }
  return (
    only(letters) ?? afterKind(kinds?.own) ?? afterKind(kinds?.noun) ?? (isId(value) ? only(`${letters}id`) : undefined)
  )
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value.trim())
}

function unwrapped(args: Fields, schemas: Schemas, { noun, own }: Kinds): Fields {
  const isWrapper = (name: string): boolean =>
    !(name in schemas) && (wrappers.has(name.toLowerCase()) || name === noun || name === own)
  const wrapper = Object.keys(args).find(isWrapper)
  const inside = wrapper === undefined ? undefined : objectIn(args[wrapper])
  if (wrapper === undefined || !inside) return args
  const { [wrapper]: _, ...beside } = args
  const within = named(inside, schemas, { noun, own })
  return Object.keys(within).every((name) => name in schemas && !(name in beside)) ? { ...beside, ...within } : args
}

function objectIn(value: unknown): Fields | undefined {
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return read !== null && typeof read === 'object' && !Array.isArray(read) ? (read as Fields) : undefined
  } catch {
    return undefined
  }
}

/** What other programs call the arguments of lists and texts. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  search: ['query', 'q', 'term', 'keyword', 'keywords', 'text'],
  pageSize: ['per_page', 'page_size', 'limit', 'size', 'count', 'max_results', 'top'],
  limit: ['per_page', 'page_size', 'pageSize', 'size', 'count', 'max_results', 'top'],
  sortBy: ['sort', 'order_by', 'orderBy'],
  sortOrder: ['order', 'direction', 'dir'],
  body: ['text', 'content', 'message', 'comment', 'note'],
  name: ['title', 'label'],
  title: ['name', 'subject', 'label'],
  subject: ['title', 'name'],
  quantity: ['qty', 'amount'],
  unitPrice: ['price'],
  startAt: ['start', 'start_time', 'date'],
  dueAt: ['due', 'due_date', 'deadline'],
}

/** Returns the argument that each unknown name probably means: the nearest spelling, or what other programs call it. */
export function suggestedNames(
  unknown: readonly string[],
  accepted: readonly string[],
  { own }: Pick<Reading, 'own'>,
): Readonly<Record<string, string>> | undefined {
  const called = (own === null ? undefined : kindOf(own.toUpperCase())?.called) ?? []
  const found = unknown.flatMap((name) => {
    const near = suggestionsFor([name], accepted)?.[name]
    const other = accepted.find((known) => otherNames[known]?.some((one) => lettersOf(one) === lettersOf(name)))
    const [titled] = fieldsNamed(name, { fields: accepted, called, references: {} })
    const meant = near ?? other ?? titled?.field
    return meant === undefined ? [] : [[name, meant] as const]
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}
