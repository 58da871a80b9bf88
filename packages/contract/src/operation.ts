import { entitiesWith } from '@crm/model'
import type { ErrorCode } from '@crm/errors'
import type { EntityAction, Module, Permission } from '@crm/permissions'
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The callers that may call an operation.
 * `open`: anybody; `signing-in`: a session, or a sign-in that waits for its second factor, which the handler checks; `credential`: any valid credential; `all`/`any`: permission names;
 * `record`: the permission of the record that the request names, custom entities included (VIEW to read; docs/guide/records.md);
 * `custom`: the permission for that action on the custom entity whose key is in the path.
 */
export type Access =
  | 'open'
  | 'signing-in'
  | 'credential'
  | { readonly all: readonly Permission[] }
  | { readonly any: readonly Permission[] }
  | { readonly record: readonly Permission[] }
  | { readonly custom: EntityAction }

/** The objects on which reach can depend; one resolver for each returns the people whose reach is concerned. */
export const reachObjects = [
  'role',
  'user',
  'department',
  'api-key',
  'connection',
  'workflow',
  'workflow-run',
  'automation-rule',
  'delivery',
  'import',
  'export',
  'everybody',
  'subject',
  'person-data',
  'scim-token',
  'scim-person',
  'scim-group',
  'invitation',
  'proposal',
  'agent-session',
] as const
export type ReachObject = (typeof reachObjects)[number]

/** The objects whose answers show findings of a person's reach; one resolver for each says whether the reader may see all of them. */
const revealedObjects = [
  'workflow-run',
  'rule-run',
  'last-request',
  'delivery',
  'import',
  'export',
  'migration',
] as const
export type RevealedObject = (typeof revealedObjects)[number]

/**
 * The effects of an operation on reach.
 * `gives`: a person may reach more afterwards, or a credential reaches something; `takes`: it takes a right, an account or work away
 * from the people behind the object; `actsAs`: something happens with their reach; `reveals`: it shows findings of their reach,
 * of which readers see only the part that they may see by themselves: the `found` fields of the answer, or the whole file.
 */
export const reachEffects = ['gives', 'takes', 'actsAs', 'reveals'] as const
export type ReachEffect = (typeof reachEffects)[number]

/** An effect of an operation on reach, and its object; `when`: only if the body has one of these fields, `unless`: only if it has none. */
export type ReachDeclaration =
  | 'none'
  | (AtLeastOne<{ readonly [Effect in ReachEffect]: ObjectOf<Effect> }> & {
      readonly when?: readonly string[]
      readonly unless?: readonly string[]
    })

/** The requests of an operation that need a fresh session. */
type Freshness = true | { readonly when: readonly string[] }

/** The objects that an effect can concern. */
export type ObjectOf<Effect extends ReachEffect> = Effect extends 'reveals' ? RevealedObject : ReachObject

type AtLeastOne<All> = { [Name in keyof All]: Pick<All, Name> & Partial<Omit<All, Name>> }[keyof All]

/** The API that an operation belongs to; each has one document, one error shape and one kind of credential. */
export const surfaces = ['public', 'settings', 'booking', 'scim'] as const
export type Surface = (typeof surfaces)[number]

/** The entity types that carry custom fields. */
export const customFieldEntities = /* @__PURE__ */ entitiesWith('customFields')
export type CustomFieldEntity = (typeof customFieldEntities)[number]

/** A successful answer: its status and the schema of its body; `also` is a second one for the few operations that have two. */
export interface Reply {
  readonly status: number
  readonly body: z.ZodType
  /** The media type of an answer in bytes instead of JSON; see `bytes`. */
  readonly mediaType?: string
  readonly also?: { readonly status: number; readonly body: z.ZodType }
}

/**
 * A file that an operation takes (docs/guide/records.md): in a form with the file in the field `file` and JSON in another field.
 * An operation that has a body too takes the file in it as `filename`, `contentType` and `contentBase64`.
 */
export interface Upload {
  /** The field of the form that holds JSON. */
  readonly field: string
  /** The shape of that JSON. */
  readonly fields: z.ZodObject
  /** Where several files may come in one form: the field of each, how many at most, and how large each may be. */
  readonly files?: { readonly field: string; readonly max: number; readonly bytesMax: number }
}

/** The options of a caller for the records of an answer: a choice of fields, names beside ids, no empty fields. */
export interface Shaped {
  readonly record: z.ZodObject
  /** The fields that hold ids, by the name under which each can be expanded: `owner` for `ownerId`; `links` get the titles of their records. */
  readonly expandable: Readonly<Record<string, string>>
  readonly customFields: CustomFieldEntity | 'BY_KEY' | undefined
}

/** The type of a dimension's values; a `list` counts a record in each of its values. */
export type DimensionType = 'id' | 'enum' | 'boolean' | 'text' | 'list' | 'instant' | 'day'

export interface Dimension {
  readonly type: DimensionType
  /** The values of an enum, in their own order. */
  readonly values?: readonly string[]
}

/** The type of a measure's values; amounts of money are summed by currency. */
export type MeasureType = 'number' | 'money' | 'instant' | 'day'

/** The fields by which records of a list can be grouped, and the fields from which figures can be computed. */
export interface Summarized {
  readonly dimensions: Readonly<Record<string, Dimension>>
  readonly measures: Readonly<Record<string, MeasureType>>
  /** The amount that is multiplied by the probability, where records have one. */
  readonly weighted: string | null
}

/** One operation of the API as data, from which everything about it is computed. */
export interface Operation {
  readonly method: Method
  readonly path: `/${string}`
  /** One line without a final dot, in the imperative. */
  readonly summary: string
  /** Advice that helps a reader or a model to choose and use the operation. */
  readonly description?: string
  readonly access: Access
  /** Whether somebody who was suspended or terminated may do it with what they still have. */
  readonly evenDisabled?: true
  /** Its effects on reach; operations of the settings always declare them, others only when there are some. */
  readonly reach?: ReachDeclaration
  /**
   * Whether the person of a session must have proved lately who they are (docs/decisions/freshness.md); `when`: only if the body has one
   * of these fields.
   */
  readonly fresh?: Freshness
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** `strict` refuses unknown and repeated parameters (docs/guide/lists.md); `lenient`, the default, ignores them. */
  readonly queryPolicy?: 'strict' | 'lenient'
  /**
   * The entity type whose custom fields the list can be filtered by, as `cf_<name>`; `BY_KEY`: the custom entity whose key stands in
   * the path.
   */
  readonly customFields?: CustomFieldEntity | 'BY_KEY'
  readonly body?: z.ZodType
  readonly upload?: Upload
  readonly reply: Reply
  /** The operation's own error codes, besides the codes of the pipeline. */
  readonly errors?: readonly ErrorCode[]
  /** Accepts `Idempotency-Key` (docs/guide/idempotency.md). */
  readonly idempotent?: true
  /** The dimensions and measures of its list's records, where the operation is a summary. */
  readonly summarized?: Summarized
  /** The options for the records of its answer, where callers have a choice. */
  readonly shaped?: Shaped
  /** Its answer has an `ETag`; a caller that sends it in `If-None-Match` gets 304 as long as nothing changed. */
  readonly revalidated?: true
  /**
   * Its answer may be a moment late, so it may come from a copy of the database. The caller's own changes are in it nevertheless.
   */
  readonly mayLag?: true
  /** Safe to repeat and without side effects, in spite of its method. */
  readonly readOnly?: true
  /** It cannot be taken back, or it changes many records, though its method only adds or changes; clients ask a person first. */
  readonly destructive?: true
  /** It does something outside the database, which cannot be taken back, so nobody can see beforehand what it would do. */
  readonly preview?: false
  /** The name of its tool, where that is not made from its place. */
  readonly toolName?: string
  /** No tool of any mode: only a person, or a program that a person wrote, may do it. `toolReason` says why, and always stands beside it. */
  readonly tool?: false
  readonly toolReason?: string
}

/** A named group of operations that share a module and a surface. */
export interface Resource<
  Name extends string = string,
  Operations extends Record<string, Operation> = Record<string, Operation>,
> {
  readonly name: Name
  /** The entity type of its records, such as `TAX_RATE`; null where it has none, or where its path names it. */
  readonly entity: string | null
  readonly module: Module | null
  readonly surface: Surface
  readonly operations: Operations
}

/** An operation with declared effects on reach; there is no default. */
export interface SettingsOperation extends Operation {
  readonly reach: ReachDeclaration
}

/** An operation with the names that are derived from its place. */
export interface DeclaredOperation {
  /** `leads.create` */
  readonly id: string
  /** `leads_create` */
  readonly tool: string
  /** `POST /api/leads` */
  readonly title: string
  readonly resource: Resource
  readonly key: string
  readonly operation: Operation
}

/** Returns every operation of a contract with its derived names, in declaration order. */
export function declaredOperations(contract: Readonly<Record<string, Resource>>): readonly DeclaredOperation[] {
  return Object.values(contract).flatMap((owner) =>
    Object.entries(owner.operations).map(([key, operation]) => declared(owner, key, operation)),
  )
}

/** Returns an operation of a resource with its derived names. */
export function declared(owner: Resource, key: string, operation: Operation): DeclaredOperation {
  const id = `${owner.name}.${key}`
  return {
    id,
    tool: operation.toolName ?? snakeCase(id),
    title: `${operation.method} ${operation.path}`,
    resource: owner,
    key,
    operation,
  }
}

function snakeCase(id: string): string {
  return id.replaceAll(/[.-]/g, '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Whether an operation changes something. */
export function isWrite({ method, readOnly }: Operation): boolean {
  return method !== 'GET' && readOnly !== true
}

/** Whether an operation cannot be taken back, or changes many records: a deletion is, a merge deletes, and the contract names the rest. */
export function isDestructive(operation: Operation): boolean {
  if (!isWrite(operation)) return false
  const { method, access, destructive } = operation
  return (
    method === 'DELETE' || destructive === true || namedPermissions(access).some((name) => name.startsWith('DELETE_'))
  )
}

/** Returns the permissions that an operation's access names, however they combine; none where the workspace decides about access. */
export function namedPermissions(access: Access): readonly Permission[] {
  if (typeof access === 'string' || 'custom' in access) return []
  if ('all' in access) return access.all
  return 'any' in access ? access.any : access.record
}

/** One place where reach is checked. */
export interface ReachCheck {
  /** For example `settings.roles.update gives`. */
  readonly id: string
  readonly declared: DeclaredOperation
  readonly effect: ReachEffect
  readonly object: ReachObject | RevealedObject
}

/** Returns every place where reach is checked, in declaration order. */
export function reachChecks(contract: Readonly<Record<string, Resource>>): readonly ReachCheck[] {
  return declaredOperations(contract).flatMap((one) =>
    reachEffects.flatMap((effect) => {
      const { reach = 'none' } = one.operation
      const object = reach === 'none' ? undefined : reach[effect]
      return object ? [{ id: reachCheckId(one, effect), declared: one, effect, object }] : []
    }),
  )
}

/** Returns the name of one check of an operation. */
export function reachCheckId({ id }: DeclaredOperation, effect: ReachEffect): string {
  return `${id} ${effect}`
}
