import type { ErrorCode } from '@crm/errors'
import type { EntityType } from '@crm/permissions'
import * as z from 'zod'
import { byId, id, tags } from './fields.ts'
import { pagedList } from './lists.ts'
import { data, undoable, undoId } from './standard.ts'

const selector = {
  ids: z.array(id).min(1).max(500).optional(),
  filter: z.record(z.string(), z.string()).optional().meta({ description: 'List parameters, one at least' }),
  all: z.literal(true).optional().meta({ description: 'Every record you reach; needs expectedCount' }),
  expectedCount: z.int().min(0).optional(),
  dryRun: z.boolean().optional(),
}

type Selected = Readonly<Partial<Record<keyof typeof selector, unknown>>>
const hasSelector = ({ ids, filter, all }: Selected) =>
  [ids, filter, all].filter((way) => way !== undefined).length === 1
const selectorRule = { message: 'Send one of ids, filter and all', path: ['ids'] }
const countsAll = ({ all, expectedCount }: Selected) => all === undefined || expectedCount !== undefined
const countRule = { message: 'To mean all records, send expectedCount as well', path: ['expectedCount'] }

const bulkResult = z.object({
  id,
  status: z.enum(['OK', 'ERROR']),
  code: z.string().optional(),
  message: z.string().optional(),
})
const outcome = {
  matched: z.int(),
  failed: z.int(),
  results: z.array(bulkResult),
  undoId,
}
/** The outcome of an operation on many records, which may be undone. */
export const bulkOutcome = z.object(outcome)
export const queued = {
  also: { status: 202, body: z.object({ success: z.literal(true), data: z.object({ jobId: id }) }) },
}

interface BulkSpec<Path extends `/${string}`, Entity extends EntityType, Set extends z.ZodObject> {
  readonly path: Path
  readonly plural: string
  readonly entity: Entity
  /** The fields that may be set on many records at once. */
  readonly set: Set
}

/** Declares the operations that change and delete many records by ids or by their list's filters (docs/guide/leads-and-deals.md). */
export function bulkOperations<
  const Path extends `/${string}`,
  const Entity extends EntityType,
  Set extends z.ZodObject,
>({ path, plural, entity, set }: BulkSpec<Path, Entity, Set>) {
  return {
    bulkUpdate: {
      method: 'PATCH',
      path,
      summary: `Change many ${plural}`,
      description:
        'By up to 500 ids, by the filters of the list, or all of them together with expectedCount. More than 500 become a background job (202).',
      access: { all: [`UPDATE_${entity}`] },
      body: z
        .strictObject({ ...selector, set: set.optional(), addTags: tags.optional(), removeTags: tags.optional() })
        .refine(hasSelector, selectorRule)
        .refine(countsAll, countRule)
        .refine((body) => body.set !== undefined || body.addTags !== undefined || body.removeTags !== undefined, {
          message: 'Send set, addTags or removeTags',
          path: ['set'],
        }),
      reply: { ...data(200, z.object({ ...outcome, updated: z.int() })), ...queued },
      errors: ['COUNT_MISMATCH'],
      destructive: true,
    },
    bulkDelete: {
      method: 'DELETE',
      path,
      summary: `Delete many ${plural}`,
      description: 'By up to 500 ids, or by the filters of the list or all of them, together with expectedCount.',
      access: { all: [`DELETE_${entity}`] },
      body: z
        .strictObject(selector)
        .refine(hasSelector, selectorRule)
        .refine(countsAll, countRule)
        .refine((body) => body.filter === undefined || body.expectedCount !== undefined, {
          message: 'A delete by filter needs expectedCount',
          path: ['expectedCount'],
        }),
      reply: { ...data(200, z.object({ ...outcome, deleted: z.int() })), ...queued },
      errors: ['COUNT_MISMATCH'],
    },
  } as const
}

/** The most likely duplicates of a new record that are shown. */
export const likelyDuplicatesMax = 10

/** The most records that a group of duplicates shows, and that one merge takes. */
export const duplicateGroupMax = 20

interface DuplicatesSpec<
  Path extends `/${string}`,
  Entity extends EntityType,
  Item extends z.ZodType,
  One extends string,
  Many extends string,
  By extends readonly [string, ...string[]],
  Signs extends z.ZodType,
> {
  readonly path: Path
  readonly entity: Entity
  /** The name of one record in the answers, and of several. */
  readonly one: One
  readonly many: Many
  readonly record: Item
  /** The properties in which two records can look alike; the first is the default. */
  readonly by: By
  /** What is typed for a new record and may be known of another one. */
  readonly signs: Signs
  readonly mergeErrors?: readonly ErrorCode[]
}

/** Declares the operations that find records that look alike, and that merge them (docs/guide/leads-and-deals.md). */
export function duplicateOperations<
  const Path extends `/${string}`,
  const Entity extends EntityType,
  Item extends z.ZodType,
  const One extends string,
  const Many extends string,
  const By extends readonly [string, ...string[]],
  Signs extends z.ZodType,
>({
  path,
  entity,
  one,
  many,
  record,
  by,
  signs,
  mergeErrors = [],
}: DuplicatesSpec<Path, Entity, Item, One, Many, By, Signs>) {
  const ways = z.enum(by)
  const named = <Key extends string, Value extends z.ZodType>(key: Key, value: Value) =>
    ({ [key]: value }) as Record<Key, Value>
  const alike = z.object({ ...named(one, record), score: z.int().min(0).max(100), matchedOn: z.array(ways) })
  return {
    duplicates: {
      method: 'GET',
      path: `${path}/duplicates`,
      summary: `List groups of ${many} that look alike`,
      description: `The largest groups come first, each with its \`count\` and its oldest ${duplicateGroupMax} records.`,
      access: { all: [`VIEW_${entity}`] },
      queryPolicy: 'strict',
      ...pagedList(
        z.object({
          by: ways,
          value: z.string(),
          count: z.int(),
          ...named(many, z.array(record).max(duplicateGroupMax)),
        }),
        { pageSize: 20, pageSizeMax: 100, overMax: 'cap' },
        { by: ways.default(by[0] as z.output<typeof ways> as never) },
      ),
    },
    duplicatesOf: {
      method: 'GET',
      path: `${path}/{id}/duplicates`,
      summary: `List the ${many} that look like one ${one}`,
      access: { all: [`VIEW_${entity}`] },
      params: byId,
      query: z.object({}),
      queryPolicy: 'strict',
      reply: {
        status: 200,
        body: z.object({ items: z.array(alike) }),
      },
    },
    duplicatesOfNew: {
      method: 'POST',
      path: `${path}/duplicates`,
      summary: `Find the ${many} that a new ${one} would duplicate`,
      description: `Creates nothing; incomplete values find nothing.`,
      access: { all: [`VIEW_${entity}`] },
      readOnly: true,
      body: signs,
      reply: { status: 200, body: z.object({ items: z.array(alike).max(likelyDuplicatesMax) }) },
    },
    merge: {
      method: 'POST',
      path: `${path}/{id}/merge`,
      summary: `Merge other ${many} into this one`,
      description: 'What hangs on them moves to it; they answer 404 with details.mergedIntoId.',
      access: { all: [`UPDATE_${entity}`, `DELETE_${entity}`] },
      params: byId,
      body: z.strictObject({
        sourceIds: z.array(id).min(1).max(duplicateGroupMax),
        prefer: z
          .record(z.string(), id)
          .optional()
          .meta({ description: `For a field, the ${one} whose value wins` }),
      }),
      reply: undoable(record),
      errors: mergeErrors,
    },
  } as const
}
