import { InSlices, likelyDuplicatesMax, StatusReply, success, undoableSuccess } from '@crm/contract'
import type { Executor, Scope, Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { CrmContext } from '../../platform/context.ts'
import { customFieldsOf } from '../custom-field-filters.ts'
import { enqueueJob } from '../../platform/jobs.ts'
import { offsetOf, pageOf } from '../pages.ts'
import { rehearsed } from '../rehearsal.ts'
import { inSlices } from '../slices.ts'
import {
  bulkOutcome,
  changeRecords,
  removeRecords,
  selectIds,
  succeeded,
  type BulkChange,
  type BulkSelector,
  type Reach,
} from './bulk.ts'
import {
  findAlike,
  findDuplicateGroups,
  type Alike,
  type AlikeQuestion,
  type DuplicateGroup,
  type Likenesses,
} from './duplicates.ts'
import { momentOf } from '../moment.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { listRecords, type ListQuery } from './list.ts'
import { mergeRecords, type MergeRules, type MergeWish } from './merge.ts'
import { namesCustomFields } from './structured-filter.ts'
import { findRecord, findRecords, lockRecord, recordNotFound } from './repository.ts'
import { asUndoable } from './trace.ts'
import { changeRecord, deleteRecords, type RecordWriter } from './write.ts'

interface ById {
  readonly params: { readonly id: string }
}

interface Listing {
  readonly query: ListQuery
  readonly customFieldFilters: ReadonlyMap<string, string>
}

/** Turns records into the form that the API shows, many at once, for kinds whose shown form is more than the row. */
export type Present<Row, Shown> = (db: Executor, context: CrmContext, rows: readonly Row[]) => Promise<Shown[]>

/** Shows a single record. */
export async function presentOne<Row, Shown>(
  present: Present<Row, Shown>,
  db: Executor,
  context: CrmContext,
  row: Row,
): Promise<Shown> {
  const [shown] = await present(db, context, [row])
  return shown as Shown
}

const asRead = async <Row, Shown>(_db: Executor, _context: CrmContext, rows: readonly Row[]): Promise<Shown[]> =>
  rows as readonly unknown[] as Shown[]

/** Returns the handlers that list and read records of a kind. */
export function readHandlers<Row extends OwnedRow, Shown = Row>(
  kind: RecordKind<Row>,
  present: Present<Row, Shown> = asRead,
) {
  return {
    list: async ({ query, customFieldFilters }: Listing, context: CrmContext) => {
      const scope = context.scope(kind.entityType)
      const sortFields = customSortsOf(query)
      const customFields =
        customFieldFilters.size > 0 || sortFields.length > 0 || namesCustomFields(query.filter)
          ? await customFieldsOf(context.db, context.workspace.id, kind)
          : []
      const unknown = sortFields.find(({ field }) => !customFields.some(({ key }) => `cf_${key}` === field))
      if (unknown) {
        throw new ApiError('INVALID_QUERY_PARAM', {
          details: { param: unknown.param, message: 'There is no such custom field' },
        })
      }
      const { items, total, later } = await listRecords(context.db, kind, {
        scope,
        query,
        customFieldFilters,
        customFields,
        moment: momentOf(context),
      })
      return inSlices(pageOf({ items: await present(context.db, context, items), total }, query), later, (ids) =>
        presentByIds(kind, context, present, scope, ids),
      )
    },
    get: async ({ params }: ById, context: CrmContext) =>
      success(await presentOne(present, context.db, context, await requireRecord(context, kind, params.id))),
  }
}

/** Returns the custom fields that a list is sorted by, each with the parameter that names it. */
function customSortsOf({ sortBy = '', thenBy = [] }: ListQuery) {
  const named = [{ param: 'sortBy', field: sortBy }, ...thenBy.map((sort) => ({ param: 'thenBy', field: sort.sortBy }))]
  return named.filter(({ field }) => field.startsWith('cf_'))
}

/** Shows records by their ids, in that order; records that were deleted meanwhile are left out. */
export async function presentByIds<Row extends OwnedRow, Shown>(
  kind: RecordKind<Row>,
  context: CrmContext,
  present: Present<Row, Shown>,
  scope: Scope,
  ids: readonly string[],
): Promise<Shown[]> {
  const db = context.reads
  const found = await findRecords(db, kind, scope, ids)
  return present(
    db,
    context,
    ids.flatMap((id) => found.get(id) ?? []),
  )
}

/** Returns a record that the caller may see, or throws the 404. */
export async function requireRecord<Row extends OwnedRow>(
  context: CrmContext,
  kind: RecordKind<Row>,
  id: string,
): Promise<Row> {
  const scope = context.scope(kind.entityType)
  const row = await findRecord(context.db, kind, scope, id)
  if (!row) throw await recordNotFound(context.db, kind, scope, id)
  return row
}

/** Returns the handler that creates a record of a kind and answers with it as it is shown. */
export function createHandler<Input, Row extends OwnedRow, Shown = Row>(
  create: (tx: Transaction, context: CrmContext, input: Input) => Promise<Row>,
  present: Present<Row, Shown> = asRead,
) {
  return async ({ body }: { readonly body: Input }, context: CrmContext) =>
    success(await context.transact(async (tx) => presentOne(present, tx, context, await create(tx, context, body))))
}

/** Returns the handlers that change and delete records of a kind. */
export function writeHandlers<Row extends OwnedRow, Patch, Shown = Row>(
  writer: RecordWriter<Row, Patch>,
  present: Present<Row, Shown> = asRead,
) {
  const { kind } = writer
  return {
    update: async ({ params, body }: ById & { readonly body: Patch }, context: CrmContext) => {
      const scope = context.scope(kind.entityType, 'UPDATE')
      return context.transact(async (tx) => {
        const { row, undoId } = await changeRecord(tx, context, writer, scope, params.id, body)
        return undoableSuccess(await presentOne(present, tx, context, row), undoId)
      })
    },
    delete: async ({ params }: ById, context: CrmContext) => {
      const scope = context.scope(kind.entityType, 'DELETE')
      await context.transact(async (tx) =>
        deleteRecords(tx, asUndoable(context), writer, [await lockRecord(tx, context, kind, scope, params.id)]),
      )
      return undoableSuccess({ id: params.id }, context.groupId)
    },
  }
}

type Rehearsable = BulkSelector & { readonly dryRun?: boolean }

/**
 * Returns the handlers that change and delete many records of a kind; `jobs` names the background work for sets that are too
 * large for one request.
 */
export function bulkHandlers<Row extends OwnedRow, Patch extends object>(
  writer: RecordWriter<Row, Patch>,
  jobs: string,
) {
  const { entityType } = writer.kind
  return {
    bulkUpdate: async ({ body }: { readonly body: Rehearsable & BulkChange<Patch> }, context: CrmContext) => {
      const scope = context.scope(entityType, 'UPDATE')
      const { ids, matched, tooMany } = await selectIds(context.db, writer, bulkReach(context, entityType, scope), body)
      if (tooMany && !body.dryRun) {
        const { filter, all, set, addTags, removeTags } = body
        const jobId = await enqueueJob(context, `${jobs}.bulk-update`, matched, {
          filter,
          all,
          change: { set, addTags, removeTags },
        })
        return new StatusReply(202, success({ jobId }))
      }
      const operation = asUndoable(context)
      const results = await context.transact((tx) =>
        rehearsed(body.dryRun, tx, (inner) => changeRecords(inner, operation, writer, scope, ids, body)),
      )
      return success({ ...bulkOutcome(matched, results, body.dryRun ? null : operation), updated: succeeded(results) })
    },
    bulkDelete: async ({ body }: { readonly body: Rehearsable }, context: CrmContext) => {
      const scope = context.scope(entityType, 'DELETE')
      const { ids, matched, tooMany } = await selectIds(context.db, writer, bulkReach(context, entityType, scope), body)
      if (tooMany && !body.dryRun) {
        const jobId = await enqueueJob(context, `${jobs}.bulk-delete`, matched, { filter: body.filter, all: body.all })
        return new StatusReply(202, success({ jobId }))
      }
      const operation = asUndoable(context)
      const results = await context.transact((tx) =>
        rehearsed(body.dryRun, tx, (inner) => removeRecords(inner, operation, writer, scope, ids)),
      )
      return success({ ...bulkOutcome(matched, results, body.dryRun ? null : operation), deleted: succeeded(results) })
    },
  }
}

function bulkReach(context: CrmContext, entityType: string, scope: Scope): Reach {
  return { scope, moment: momentOf(context), shown: context.scopeIfAllowed(entityType) }
}

interface PagedBy<Name> {
  readonly query: { readonly by: Name; readonly page: number; readonly pageSize: number }
}

/** The shapes of duplicates of a kind on the wire. */
export interface DuplicateShapes<Row, Name extends string, Group, One> {
  group(by: Name, group: DuplicateGroup<Row>): Group
  alike(alike: Alike<Row, Name>): One
}

/** How the records of a kind look alike, and how the signs of a new one are read. */
export interface DuplicateRules<Row extends OwnedRow, Name extends string, Typed, Signs> {
  readonly merge: MergeRules<Row>
  readonly likenesses: Likenesses<Signs, Name>
  /** Brings what somebody types into the form in which it is compared. */
  signsOf(typed: Typed): Signs
}

/** A new record that shares no likelier value than this is no likely duplicate: one company has many leads. */
const likelyFrom = 30
const alikeMax = 100

/** Returns the handlers that find and merge records of a kind that look alike. */
export function duplicateHandlers<
  Row extends OwnedRow & Signs,
  Name extends string,
  Typed,
  Signs,
  Group,
  One,
  Shown = Row,
  Beside extends object = object,
>(
  { merge: rules, likenesses, signsOf }: DuplicateRules<Row, Name, Typed, Signs>,
  shapes: DuplicateShapes<Shown, Name, Group, One> & {
    /** Returns what else the signs tell of. */
    readonly beside?: (context: CrmContext, signs: Signs) => Promise<Beside>
  },
  present: Present<Row, Shown> = asRead,
) {
  const { kind } = rules
  const alike = async (context: CrmContext, question: AlikeQuestion<Signs>) => {
    const found = await findAlike(context.db, kind, likenesses, context.scope(kind.entityType), question)
    const records = await present(
      context.db,
      context,
      found.map(({ record }) => record),
    )
    const items = found.map((each, at) => shapes.alike({ ...each, record: records[at] as Shown }))
    return { items, ...((await shapes.beside?.(context, question.signs)) as Beside) }
  }
  return {
    duplicates: async ({ query }: PagedBy<Name>, context: CrmContext) => {
      const page = { limit: query.pageSize, offset: offsetOf(query) }
      const shown = (groups: readonly DuplicateGroup<Row>[]): Promise<Group[]> =>
        Promise.all(
          groups.map(async (group) =>
            shapes.group(query.by, { ...group, records: await present(context.reads, context, group.records) }),
          ),
        )
      const { groups, later, total } = await findDuplicateGroups(
        context.reads,
        kind,
        context.scope(kind.entityType),
        likenesses[query.by],
        page,
      )
      const body = pageOf({ items: await shown(groups), total }, query)
      return later.length > 0
        ? new InSlices(
            body,
            later.map((read) => async () => shown(await read())),
          )
        : body
    },
    duplicatesOf: async ({ params }: ById, context: CrmContext) => {
      const row = await requireRecord(context, kind, params.id)
      return alike(context, { signs: row, except: row.id, limit: alikeMax })
    },
    duplicatesOfNew: ({ body }: { readonly body: Typed }, context: CrmContext) =>
      alike(context, { signs: signsOf(body), weightMin: likelyFrom, limit: likelyDuplicatesMax }),
    merge: async ({ params, body }: ById & { readonly body: MergeWish }, context: CrmContext) => {
      const scope = context.scope(kind.entityType, 'UPDATE')
      context.scope(kind.entityType, 'DELETE')
      const own = asUndoable(context)
      const merged = await context.transact(async (tx) =>
        presentOne(present, tx, context, await mergeRecords(tx, own, rules, scope, params.id, body)),
      )
      return undoableSuccess(merged, own.operationId)
    },
  }
}
