import type { EntityType } from '@crm/permissions'
import * as z from 'zod'
import { byId, id } from './fields.ts'
import type { Access, CustomFieldEntity, ReachDeclaration } from './operation.ts'

const yes = z.literal(true)
const idOnly = z.object({ id })

/** Declares the reply with a single record or the outcome of a verb: `{ success: true, data }` (docs/guide/requests.md). */
export function data<const Status extends number, Body extends z.ZodType>(status: Status, body: Body) {
  return { status, body: z.object({ success: yes, data: body }) } as const
}

/** Wraps a record for the wire. */
export function success<T>(record: T): { success: true; data: T } {
  return { success: true, data: record }
}

/** Returns the schema of a resource's records, as its `get` shows one. */
export function recordOf<Body extends z.ZodType>({
  operations,
}: {
  readonly operations: { readonly get: { readonly reply: { readonly body: z.ZodObject<{ readonly data: Body }> } } }
}): Body {
  return operations.get.reply.body.shape.data
}

/** The id by which a change is undone; the operation's description says by whom and for how long. */
export const undoId = id.nullable().meta({
  description: 'Undoes it for 10 minutes (POST /api/undo/{undoId}); null when there is nothing to undo',
})

/** Declares the reply of a change of one record that can be undone: `undoId` beside the record. */
export function undoable<Body extends z.ZodType>(body: Body) {
  return { status: 200, body: z.object({ success: yes, data: body, undoId }) } as const
}

/** The operations that change and delete one record. */
export interface Changes {
  readonly update: { readonly reply: { readonly body: z.ZodObject<{ readonly data: z.ZodType }> } }
  readonly delete: object
}

type Undoable<Operations extends Changes> = Omit<Operations, keyof Changes> & {
  readonly update: Omit<Operations['update'], 'reply'> & {
    readonly reply: ReturnType<typeof undoable<Operations['update']['reply']['body']['shape']['data']>>
  }
  readonly delete: Omit<Operations['delete'], 'reply'> & { readonly reply: typeof removed }
}

/** Adds to the operations on owned records that changing and deleting one can be undone. */
export function withUndo<const Operations extends Changes>(operations: Operations): Undoable<Operations> {
  const { update, delete: remove } = operations
  return {
    ...operations,
    update: { ...update, reply: undoable(update.reply.body.shape.data) },
    delete: { ...remove, reply: removed },
  } as Undoable<Operations>
}

/** Wraps a changed or deleted record for the wire, with the id by which that is undone. */
export function undoableSuccess<T>(record: T, by: string | null): { success: true; data: T; undoId: string | null } {
  return { success: true, data: record, undoId: by }
}

/** The answer of a delete that can be undone. */
export const removed = undoable(idOnly)

/** The answer of a delete. */
export const deleted = data(200, idOnly)

/** A value for each of seeing, creating, changing and deleting. */
type OfEach<Of> = Readonly<Record<'view' | 'create' | 'update' | 'delete', Of>>

interface StandardSpec<
  Path extends `/${string}`,
  Item extends z.ZodType,
  Create extends z.ZodType,
  Update extends z.ZodType,
  List,
  Reach,
> {
  readonly path: Path
  readonly noun: string
  readonly plural: string
  readonly record: Item
  readonly create: Create
  readonly update: Update
  readonly list: List
  readonly access: OfEach<Access>
  /** The effects of the operations on reach. */
  readonly reach?: Reach
}

/** Declares the usual five operations of a resource; spread the record to leave one out or to replace it. */
export function standard<
  const Path extends `/${string}`,
  Item extends z.ZodType,
  Create extends z.ZodType,
  Update extends z.ZodType,
  const List extends {
    readonly query?: z.ZodObject
    readonly reply: { readonly status: 200; readonly body: z.ZodType }
    readonly customFields?: CustomFieldEntity
  },
  const Reach extends OfEach<ReachDeclaration> | undefined = undefined,
>(spec: StandardSpec<Path, Item, Create, Update, List, Reach>) {
  const one = `${spec.path}/{id}` as const
  const reach = <Part extends keyof OfEach<unknown>>(part: Part) =>
    ({ reach: spec.reach?.[part] }) as Reach extends OfEach<unknown> ? { readonly reach: Reach[Part] } : object
  return {
    list: {
      method: 'GET',
      path: spec.path,
      summary: `List ${spec.plural}`,
      access: spec.access.view,
      ...reach('view'),
      ...spec.list,
    },
    get: {
      method: 'GET',
      path: one,
      summary: `Read ${withArticle(spec.noun)}`,
      access: spec.access.view,
      ...reach('view'),
      params: byId,
      reply: data(200, spec.record),
    },
    create: {
      method: 'POST',
      path: spec.path,
      summary: `Create ${withArticle(spec.noun)}`,
      access: spec.access.create,
      ...reach('create'),
      body: spec.create,
      reply: data(201, spec.record),
    },
    update: {
      method: 'PATCH',
      path: one,
      summary: `Change ${withArticle(spec.noun)}`,
      access: spec.access.update,
      ...reach('update'),
      params: byId,
      body: spec.update,
      reply: data(200, spec.record),
    },
    delete: {
      method: 'DELETE',
      path: one,
      summary: `Delete ${withArticle(spec.noun)}`,
      access: spec.access.delete,
      ...reach('delete'),
      params: byId,
      reply: deleted,
    },
  } as const
}

/** Returns the four permissions of an entity type as the access of the usual operations. */
export function entityAccess<const Entity extends EntityType>(entity: Entity) {
  return {
    view: { all: [`VIEW_${entity}`] },
    create: { all: [`CREATE_${entity}`] },
    update: { all: [`UPDATE_${entity}`] },
    delete: { all: [`DELETE_${entity}`] },
  } as const
}

/** The access to reference data: one permission to see, one to change. */
export const referenceAccess = {
  view: { all: ['VIEW_REFERENCE_DATA'] },
  create: { all: ['MANAGE_REFERENCE_DATA'] },
  update: { all: ['MANAGE_REFERENCE_DATA'] },
  delete: { all: ['MANAGE_REFERENCE_DATA'] },
} as const

/** Returns the same permission for every operation, as in the settings API. */
export function managedBy<const Name extends Access>(access: Name) {
  return { view: access, create: access, update: access, delete: access } as const
}

/** The effects of operations that change nobody's reach. */
export const reachesNothing = { view: 'none', create: 'none', update: 'none', delete: 'none' } as const

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}
