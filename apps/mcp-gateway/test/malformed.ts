import type { JsonSchema, Tool, ToolArguments } from '@crm/tools'

type Fields = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, JsonSchema>>

/** A way to get the arguments of a call wrong; null where the arguments have nothing of the kind. */
type Fault = (args: ToolArguments, at: CallPlace) => ToolArguments | null

interface CallPlace {
  readonly noun: string | null
  readonly schemas: Schemas
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/
const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)
const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const spaced = (name: string): string => pascal(snake(name).replaceAll('_', ' '))

/** Gives every argument another name; null where none changes. */
function renamed(args: ToolArguments, rename: (name: string) => string): ToolArguments | null {
  const changed = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name.startsWith('cf_') ? name : rename(name), value]),
  )
  return Object.keys(args).some((name) => !(name in changed)) ? changed : null
}

/** Changes the first argument that a change applies to. */
function firstChanged(
  args: ToolArguments,
  { schemas }: CallPlace,
  change: (value: unknown, schema: JsonSchema, name: string) => unknown,
): ToolArguments | null {
  for (const [name, value] of Object.entries(args)) {
    const changed = change(value, schemas[name] ?? {}, name)
    if (changed !== undefined) return { ...args, [name]: changed }
  }
  return null
}

/** The alternatives of a schema that hold a value. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (schema[keyword] ?? []) as readonly JsonSchema[])
  return [schema, ...inner.flatMap(formsOf)]
}
const wordsOf = (schema: JsonSchema): readonly string[] =>
  formsOf(schema).flatMap(({ enum: words, form }) => [
    ...((words ?? []) as readonly string[]),
    ...((form as { readonly values?: readonly string[] } | undefined)?.values ?? []),
  ])
const formats = (schema: JsonSchema): readonly unknown[] => formsOf(schema).map(({ format }) => format)
const types = (schema: JsonSchema): readonly unknown[] => formsOf(schema).map(({ type }) => type)

const kindOf = (name: string, { noun }: CallPlace): string | null => {
  if (name === 'id') return noun
  if (/^(?:owner|assignee)Id$/.test(name)) return 'employee'
  return /^(?:lead|deal|contact|company|project|product|pipeline)Id$/.test(name) ? name.slice(0, -2) : null
}

const word = (value: unknown, schema: JsonSchema): string | undefined =>
  typeof value === 'string' && /[A-Z]{3}/.test(value) && wordsOf(schema).includes(value) ? value : undefined

/** What other programs call the fields. */
const foreign: Readonly<Record<string, string>> = {
  name: 'title',
  title: 'name',
  firstName: 'given_name',
  lastName: 'surname',
  companyName: 'company',
  email: 'email_address',
  phone: 'phone_number',
  description: 'notes',
  amount: 'value',
  expectedCloseDate: 'close_date',
  dueAt: 'due_date',
  startAt: 'start_time',
  ownerId: 'owner_id',
  website: 'url',
  quantity: 'qty',
  unitPrice: 'price',
  pageSize: 'per_page',
  limit: 'max_results',
  search: 'query',
  sku: 'product_code',
  filename: 'file_name',
  body: 'text',
}

const otherDates: readonly ((day: string) => string)[] = [
  (day) => day.replaceAll('-', '/'),
  (day) => day.split('-').toReversed().join('.'),
  (day) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
  (day) => `${day}T00:00:00.000Z`,
]
const otherMoments: readonly ((moment: string) => string)[] = [
  (moment) => moment.replace('T', ' '),
  (moment) => moment.replace('.000Z', '+00:00'),
  (moment) => new Date(moment).toUTCString(),
  (moment) => moment.replace(':00.000Z', 'Z'),
  (moment) => moment.replace('.000Z', ''),
]

const dateFault =
  (write: (day: string) => string): Fault =>
  (args, at) =>
    firstChanged(args, at, (value, schema) =>
      formats(schema).includes('date') && typeof value === 'string' && /^[\d-]{10}$/.test(value)
        ? write(value)
        : undefined,
    )
const momentFault =
  (write: (moment: string) => string): Fault =>
  (args, at) =>
    firstChanged(args, at, (value, schema) =>
      formats(schema).includes('date-time') && typeof value === 'string' && value.endsWith('Z')
        ? write(value)
        : undefined,
    )
const wordFault =
  (write: (value: string) => string): Fault =>
  (args, at) =>
    firstChanged(args, at, (value, schema) => {
      const said = word(value, schema)
      return said === undefined || write(said) === said ? undefined : write(said)
    })
const wrapped =
  (name: string, within: (args: ToolArguments) => unknown = (args) => args): Fault =>
  (args) =>
    Object.keys(args).length > 0 ? { [name]: within(args) } : null

const faults: Readonly<Record<string, Fault>> = {
  'an id with its kind': (args, at) =>
    firstChanged(args, at, (value, _, name) =>
      isUuid(value) && kindOf(name, at) !== null ? `${kindOf(name, at)}:${value}` : undefined,
    ),
  'an id in capitals': (args, at) =>
    firstChanged(args, at, (value) => (isUuid(value) ? ` ${value.toUpperCase()} ` : undefined)),
  'the id under the name of its kind': (args, { noun }) =>
    noun !== null && isUuid(args['id']) ? renamed(args, (name) => (name === 'id' ? `${noun}Id` : name)) : null,
  'a reference without Id': (args) =>
    renamed(args, (name) => (isUuid(args[name]) && /[a-z]Id$/.test(name) ? name.slice(0, -2) : name)),
  'snake case': (args) => renamed(args, snake),
  'pascal case': (args) => renamed(args, pascal),
  'small letters': (args) => renamed(args, (name) => name.toLowerCase()),
  'names as people write them': (args) => renamed(args, spaced),
  'names with the kind in front': (args, { noun }) =>
    noun === null ? null : renamed(args, (name) => (name === 'id' ? name : noun + pascal(name))),
  'within data': wrapped('data'),
  'within arguments as text': wrapped('arguments', JSON.stringify),
  'within the kind': (args, { noun }) => {
    const { id, ...others } = args
    return noun !== null && Object.keys(others).length > 0 ? { ...(id ? { id } : {}), [noun]: others } : null
  },
  'objects and lists as text': (args, at) =>
    firstChanged(args, at, (value) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined,
    ),
  'numbers as text': (args, at) =>
    firstChanged(args, at, (value) => (typeof value === 'number' ? String(value) : undefined)),
  'texts as numbers': (args, at) =>
    firstChanged(args, at, (value, schema) =>
      formsOf(schema).some(({ form }) => (form as { readonly form?: string } | undefined)?.form === 'decimal') &&
      typeof value === 'string'
        ? Number(value)
        : undefined,
    ),
  'yes and no as text': (args, at) =>
    firstChanged(args, at, (value) => (typeof value === 'boolean' ? pascal(String(value)) : undefined)),
  'one value for a list': (args, at) =>
    firstChanged(args, at, (value) => (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined)),
  'a list for one value': (args, at) =>
    firstChanged(args, at, (value, schema) =>
      typeof value === 'string' && !types(schema).includes('array') && !isUuid(value) ? [value] : undefined,
    ),
  'words in small letters': wordFault((value) => value.toLowerCase()),
  'words as people write them': wordFault((value) => spaced(value.toLowerCase())),
  'words with a slip': wordFault((value) => value.slice(0, -2) + value.slice(-1)),
  ...Object.fromEntries(otherDates.map((write) => [`a day as ${write('2026-06-15')}`, dateFault(write)])),
  ...Object.fromEntries(
    otherMoments.map((write) => [`a time as ${write('2026-06-15T08:00:00.000Z')}`, momentFault(write)]),
  ),
  'a name with a slip': (args) => {
    const longest = Object.keys(args)
      .filter((name) => name.length > 4)
      .at(-1)
    return longest === undefined
      ? null
      : renamed(args, (name) => (name === longest ? name.slice(0, 2) + name.slice(3) : name))
  },
  'names of other programs': (args) => renamed(args, (name) => foreign[name] ?? name),
}

/** A call that is meant well and written wrongly. */
export interface Malformed {
  readonly fault: string
  readonly tool: Tool
  readonly args: ToolArguments
  /** What was meant. */
  readonly meant: ToolArguments
}

/** Returns the ways to get the arguments of a tool wrong. */
export function malformedCalls(tool: Tool, meant: ToolArguments): readonly Malformed[] {
  const at = {
    noun: tool.reading.own === tool.reading.noun ? tool.reading.noun : null,
    schemas: (tool.reading.schema['properties'] ?? {}) as Schemas,
  }
  return Object.entries(faults).flatMap(([fault, spoil]) => {
    const args = spoil(meant, at)
    return args === null ? [] : [{ fault, tool, args, meant }]
  })
}

const day = '2026-06-15'

/** Adds arguments that a call may do without, from the declaration alone: words, numbers, days, tags, an address. */
export function withMore({ reading, route }: Tool, args: ToolArguments): ToolArguments {
  const schemas = Object.entries((reading.schema['properties'] ?? {}) as Schemas)
  const more = schemas.flatMap(([name, schema]): readonly (readonly [string, unknown])[] => {
    if (name in args) return []
    if (route.method === 'GET') {
      if (name === 'pageSize' || name === 'limit') return [[name, 5]]
      if (name === 'status' || name === 'type' || name === 'temperature')
        return wordsOf(schema)
          .slice(0, 1)
          .map((one) => [name, one])
      if (name === 'createdFrom' || name === 'updatedFrom') return [[name, `${day}T08:00:00.000Z`]]
      return /Overdue|isActive|isArchived/.test(name) ? [[name, true]] : []
    }
    if (route.method === 'DELETE') return []
    if (['tags', 'addTags'].includes(name)) return [[name, ['blue']]]
    if (name === 'address') return [[name, { city: 'Berlin' }]]
    if (['temperature', 'priority', 'direction'].includes(name))
      return wordsOf(schema)
        .slice(0, 1)
        .map((one) => [name, one])
    if (['amount', 'price', 'value', 'basePrice'].includes(name)) return [[name, '12.5']]
    if (/Date$|^validUntil$|^dueDate$/.test(name) && formats(schema).includes('date')) return [[name, day]]
    return name === 'dueAt' ? [[name, `${day}T08:00:00.000Z`]] : []
  })
  return { ...args, ...Object.fromEntries(more) }
}

/** Applies what a refusal suggests: names of arguments, and values. */
export function corrected(args: ToolArguments, refusal: unknown): ToolArguments | null {
  const { details, suggestions = (details as Fields | undefined)?.['suggestions'] } = (refusal ?? {}) as Fields
  if (!isFields(suggestions)) return null
  const known = new Map(Object.entries(suggestions))
  const correct = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(correct)
    if (isFields(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [known.get(name) ?? name, correct(one)]))
    return typeof value === 'string' ? (known.get(value) ?? value) : value
  }
  return correct(args) as ToolArguments
}
