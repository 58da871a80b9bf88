import type { ErrorCode } from '@crm/errors'
import type { EntityAction, Module, Permission } from '@crm/permissions'
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an operation.
 * `open`: anybody; `credential`: any valid credential; `all`/`any`: permission names;
 * `record`: the permission of the record that the request names, that of a custom entity too (VIEW to read; docs/guide/records.md);
 * `custom`: the permission of that action on the custom entity whose key stands in the path.
 */
export type Access =
  | 'open'
  | 'credential'
  | { readonly all: readonly Permission[] }
  | { readonly any: readonly Permission[] }
  | { readonly record: readonly Permission[] }
  | { readonly custom: EntityAction }

/** What reach can hang on: whose reach it concerns is told by one resolver for each of them. */
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
] as const
export type ReachObject = (typeof reachObjects)[number]

/** What an answer can show of somebody's reach: whether the reader may see all that it tells of is told by one resolver for each of them. */
export const revealedObjects = ['workflow-run', 'rule-run', 'last-request', 'delivery', 'import', 'export'] as const
export type RevealedObject = (typeof revealedObjects)[number]

/**
 * What an operation can do to reach.
 * `gives`: somebody may reach more afterwards, or a credential reaches something; `takes`: it takes a right, an account or work away
 * from the people behind the object; `actsAs`: something happens with their reach; `reveals`: it shows what their reach has found,
 * of which the reader sees what they may see by themselves: the fields of the answer that are declared as `found`, or the whole file.
 */
export const reachEffects = ['gives', 'takes', 'actsAs', 'reveals'] as const
export type ReachEffect = (typeof reachEffects)[number]

/** What an operation does to reach, and the object it concerns; `when`: only if the body has one of these fields, `unless`: only if it has none. */
export type ReachDeclaration =
  | 'none'
  | (AtLeastOne<{ readonly [Effect in ReachEffect]: ObjectOf<Effect> }> & {
      readonly when?: readonly string[]
      readonly unless?: readonly string[]
    })

/** The objects that an effect can concern. */
export type ObjectOf<Effect extends ReachEffect> = Effect extends 'reveals' ? RevealedObject : ReachObject

type AtLeastOne<All> = { [Name in keyof All]: Pick<All, Name> & Partial<Omit<All, Name>> }[keyof All]

/** Which API an operation belongs to: one document, one error shape and one kind of credential each. */
export const surfaces = ['public', 'settings', 'booking'] as const
export type Surface = (typeof surfaces)[number]

/** The entity types that carry custom fields. */
export const customFieldEntities = ['LEAD', 'CONTACT', 'COMPANY', 'DEAL'] as const
export type CustomFieldEntity = (typeof customFieldEntities)[number]

/** A successful answer: its status and the schema of its body; `also` is a second one for the few operations that have two. */
export interface Reply {
  readonly status: number
  readonly body: z.ZodType
  /** Answers bytes of this kind instead of JSON; see `bytes`. */
  readonly mediaType?: string
  readonly also?: { readonly status: number; readonly body: z.ZodType }
}

/**
 * A file that an operation takes (docs/guide/records.md): in a form with the file in the field `file` and JSON in another one, and
 * where the operation has a body too, in that as `filename`, `contentType` and `contentBase64`.
 */
export interface Upload {
  /** The field of the form that holds JSON. */
  readonly field: string
  /** What that JSON may hold. */
  readonly fields: z.ZodObject
}

/** How the records of an answer can be asked for: some of their fields, names beside ids, without what is empty. */
export interface Shaped {
  readonly record: z.ZodObject
  /** The field that holds the id, by the name under which it can be expanded: `owner` for `ownerId`. */
  readonly expandable: Readonly<Record<string, string>>
  readonly customFields: CustomFieldEntity | 'BY_KEY' | undefined
}

/** What the values of a dimension are; a `list` counts a record in each of its values. */
export type DimensionType = 'id' | 'enum' | 'boolean' | 'text' | 'list' | 'instant' | 'day'

export interface Dimension {
  readonly type: DimensionType
  /** The values of an enum, in their own order. */
  readonly values?: readonly string[]
}

/** What a measure adds up; money is told by currency. */
export type MeasureType = 'number' | 'money' | 'instant' | 'day'

/** What the records of a list can be grouped by, and what can be computed of them, by field. */
export interface Summarized {
  readonly dimensions: Readonly<Record<string, Dimension>>
  readonly measures: Readonly<Record<string, MeasureType>>
  /** The amount that is multiplied by the probability, where records have one. */
  readonly weighted: string | null
}

/** One operation of the API as data; everything about it is computed from this. */
export interface Operation {
  readonly method: Method
  readonly path: `/${string}`
  /** One line without a final dot, in the imperative. */
  readonly summary: string
  /** What helps a reader or a model to choose and use it. */
  readonly description?: string
  readonly access: Access
  /** What it does to reach; operations of the settings always say so, others where it is more than none. */
  readonly reach?: ReachDeclaration
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** `strict` refuses unknown and repeated parameters (docs/guide/lists.md); `lenient`, the default, ignores them. */
  readonly queryPolicy?: 'strict' | 'lenient'
  /** The entity type whose custom fields the list can be filtered by, as `cf_<name>`; `BY_KEY`: the custom entity whose key stands in the path. */
  readonly customFields?: CustomFieldEntity | 'BY_KEY'
  readonly body?: z.ZodType
  readonly upload?: Upload
  readonly reply: Reply
  /** The codes of its own that it may answer with, besides those of the pipeline. */
  readonly errors?: readonly ErrorCode[]
  /** Accepts `Idempotency-Key` (docs/guide/idempotency.md). */
  readonly idempotent?: true
  /** What the records of its list can be grouped by and what can be computed of them, where the operation is a summary. */
  readonly summarized?: Summarized
  /** How the records of its answer can be asked for, where callers may choose. */
  readonly shaped?: Shaped
  /** Its answer has an `ETag`; who sends that back in `If-None-Match` gets 304 as long as nothing changed. */
  readonly revalidated?: true
  /** A safe operation in spite of its method. */
  readonly readOnly?: true
}

/** A named group of operations that share a module and a surface. */
export interface Resource<
  Name extends string = string,
  Operations extends Record<string, Operation> = Record<string, Operation>,
> {
  readonly name: Name
  readonly module: Module | null
  readonly surface: Surface
  readonly operations: Operations
}

/** An operation that says what it does to reach; there is no default. */
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

/** Every operation of a contract with its derived names, in declaration order. */
export function declaredOperations(contract: Readonly<Record<string, Resource>>): readonly DeclaredOperation[] {
  return Object.values(contract).flatMap((owner) =>
    Object.entries(owner.operations).map(([key, operation]) => declared(owner, key, operation)),
  )
}

/** An operation of a resource with its derived names. */
export function declared(owner: Resource, key: string, operation: Operation): DeclaredOperation {
  const id = `${owner.name}.${key}`
  return { id, tool: snakeCase(id), title: `${operation.method} ${operation.path}`, resource: owner, key, operation }
}

function snakeCase(id: string): string {
  return id.replaceAll(/[.-]/g, '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The permissions an operation's access names, whatever the way they combine; none where the workspace decides how they are called. */
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

/** Every place where reach is checked, in declaration order. */
export function reachChecks(contract: Readonly<Record<string, Resource>>): readonly ReachCheck[] {
  return declaredOperations(contract).flatMap((one) =>
    reachEffects.flatMap((effect) => {
      const { reach = 'none' } = one.operation
      const object = reach === 'none' ? undefined : reach[effect]
      return object ? [{ id: reachCheckId(one, effect), declared: one, effect, object }] : []
    }),
  )
}

/** The name of one check of an operation. */
export function reachCheckId({ id }: DeclaredOperation, effect: ReachEffect): string {
  return `${id} ${effect}`
}
