import {
  changeEvents,
  customEntityEvents,
  publicContract,
  recordEntityTypes,
  recordOperations,
  settingsContract,
  bulkFields,
  type Operation,
  type Resource,
} from '@crm/contract'
import { entitiesWith, fieldsOf, kinds } from '@crm/model'
import * as z from 'zod'

// The build evaluates this file, and pages load what it exports as plain data: they call the API without its schemas.

type Contract = Readonly<Record<string, Resource>>

/** What a call needs to know of an operation. */
type Called = Pick<Operation, 'method' | 'path'> & {
  readonly body?: true
  readonly idempotent?: true
  readonly reply: { readonly mediaType?: string }
}

function callsOf(contract: Contract) {
  return Object.fromEntries(
    Object.entries(contract).map(([name, { operations }]) => [
      name,
      { operations: Object.fromEntries(Object.entries(operations).map(([key, one]) => [key, calledOf(one)])) },
    ]),
  )
}

function calledOf({ method, path, body, idempotent, reply: { mediaType } }: Operation): Called {
  return {
    method,
    path,
    ...(body && { body: true }),
    ...(idempotent && { idempotent }),
    reply: mediaType === undefined ? {} : { mediaType },
  }
}

/** The operations of the public API, as far as calls need them. */
export const publicCalls = callsOf(publicContract)
/** The operations of the settings API, as far as calls need them. */
export const settingsCalls = callsOf(settingsContract)

/** What the API does with the records of a kind. */
export interface RecordFacts {
  readonly creates: boolean
  readonly updates: boolean
  readonly lists: boolean
  readonly isSummarized: boolean
  /** The parameters of the list. For one that is named after a field, a pattern of the texts that it takes; null for the others. */
  readonly params: Readonly<Record<string, string | null>>
  /** The fields by which the list is sorted. */
  readonly sorts: readonly string[]
  /** Whether it is sorted by custom fields too. */
  readonly sortsByCustomFields: boolean
  /** Whether it names its order and its size by `sort` and `limit`. */
  readonly isLimited: boolean
  /** The fields that name records, by the word for their names. */
  readonly expandable: Readonly<Record<string, string>>
  /** The fields that many records can get at once. */
  readonly bulk: readonly string[]
}

/** An id in the place of any other. */
const anyId = '00000000-0000-7000-8000-000000000000'
const idPattern = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The facts of kinds by entity type; those of custom entities are under `CUSTOM`. */
export const recordFacts: Readonly<Record<string, RecordFacts>> = Object.fromEntries(
  [...recordEntityTypes(), 'CUSTOM'].map((entityType) => [entityType, factsOf(entityType)]),
)

function factsOf(entityType: string): RecordFacts {
  const { create, update, list, summary } = recordOperations(entityType) ?? {}
  const shape = list?.query?.shape ?? {}
  const fields = list?.shaped?.record.shape ?? {}
  const params: readonly [string, z.ZodType][] = Object.entries(shape)
  const { sortBy, sort } = shape as Readonly<Record<string, z.ZodType | undefined>>
  const sortsBy = (key: string) => (sortBy ? sortBy.safeParse(key) : sort?.safeParse(`${key}:asc`))?.success === true
  return {
    creates: create !== undefined,
    updates: update !== undefined,
    lists: list !== undefined,
    isSummarized: summary !== undefined,
    params: Object.fromEntries(params.map(([name, param]) => [name, name in fields ? takenBy(param) : null])),
    sorts: Object.keys({ ...fieldsOf(entityType), ...fields }).filter(sortsBy),
    sortsByCustomFields: sortsBy('cf_any'),
    isLimited: 'limit' in shape,
    expandable: { ...list?.shaped?.expandable },
    bulk: bulkFields(entityType),
  }
}

/** Returns the pattern of the texts that a parameter takes. */
function takenBy(param: z.ZodType): string {
  const takes = (text: string) => param.safeParse(text).success
  const { enum: values, pattern, maxLength = '' } = schemaOf(param)
  if (pattern !== undefined) return pattern
  if (values) return `^(?:${values.join('|')})$`
  if (takes('Any text')) return `^[^]{1,${maxLength}}$`
  const known = takes(anyId) ? [idPattern] : codesOf(param)
  const one = `(?:${[...known, ...(takes('none') ? ['none'] : [])].join('|')})`
  return `^,*${one}(?:,+${one}){0,49},*$`
}

/** Returns the codes that a parameter takes, which its refusal names. */
function codesOf(param: z.ZodType): readonly string[] {
  const [issue] = param.safeParse('?').error?.issues ?? []
  return (issue?.code === 'custom' ? (issue.params?.['known'] as readonly string[] | undefined) : undefined) ?? []
}

interface JsonSchema {
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly maxLength?: number
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** The entity types of the records that events are about, by the name of the event. */
export const eventTypes: Readonly<Record<string, string>> = Object.fromEntries(
  changeEvents.map(({ name, entityType }) => [name, entityType]),
)
/** How the names of the events of custom entities end. */
export const customEventEnds: readonly string[] = customEntityEvents('')

/** The fields by which a new record is compared with the known ones, by entity type. */
export const comparedFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  entitiesWith('merged').map((entity) => [
    entity,
    Object.keys(publicContract[kinds[entity].stem].operations.duplicatesOfNew.body.shape),
  ]),
)

/** The fields by which the API finds records that are alike, by entity type; its usual one is the first. */
export const likenessFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  entitiesWith('merged').map((entity) => [
    entity,
    publicContract[kinds[entity].stem].operations.duplicates.query.shape.by.unwrap().options,
  ]),
)
