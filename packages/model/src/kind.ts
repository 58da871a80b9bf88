import { flag, instant, integer, reference, tags, text, type Field, type FieldType } from './field.ts'

/** The modules that a workspace can switch off. */
export const modules = ['SALES', 'PROJECTS', 'CATALOG', 'FINANCE', 'FILES'] as const
export type Module = (typeof modules)[number]

/** A kind of record: what is true of it everywhere. How a thing is done with it stays code. */
export interface Kind {
  /** As in permissions, such as `PRICE_LIST`. */
  readonly entity: string
  readonly noun: string
  readonly plural: string
  /** The word of its addresses, in the API and in the console, such as `price-lists`. */
  readonly stem: string
  /** Null for a kind that no workspace can switch off. */
  readonly module: Module | null
  readonly icon: string
  /** The fields that name a record. */
  readonly title: readonly string[]
  /** What a line says of a record besides its name: a field, and perhaps an amount. */
  readonly line?: { readonly note: string; readonly amount?: string }
  /** What letters usually say of a record: fields, and parts of addresses. */
  readonly letter?: readonly string[]
  /** The usual list: its columns, the sums beneath them, and its order and layout where they are not those of most lists. */
  readonly list: {
    readonly columns: readonly string[]
    readonly sums?: readonly string[]
    readonly sort?: string
    readonly layout?: 'board'
  }
  /** The word of its pages, where it is not that of its addresses in the API. */
  readonly page?: string
  /** The fields that people fill in and read first, in order. */
  readonly main: readonly string[]
  /** Where its records have numbers in a row, which are never given again: how the usual numbers begin. */
  readonly numbered?: string
  /** Whether other records hang on it, so that it has a feed of all of them and people link tasks to it. */
  readonly hub?: true
  /** Whether a team works with its records together: the members of a new workspace see all of them. */
  readonly shared?: true
  /** Whether records of it are imported. */
  readonly transferred?: true
  /** What other programs and people call a record of it, by which imports know their files and columns. */
  readonly called?: readonly string[]
  /** Whether a record stands for a person, whose data is collected and erased. */
  readonly person?: true
  /** Whether its records go through the stages of pipelines. */
  readonly staged?: true
  /** Whether two records of it can be made one. */
  readonly merged?: true
  /** Whether workspaces may have only so many records of it. */
  readonly quota?: true
  /** Whether workspaces add fields of their own, whose values stand in `customFields`. */
  readonly customFields?: true
  /** The values of `status` with which nothing is left to do about a record; it stays with those who did it. */
  readonly over?: readonly string[]
  /** The defaults of a new record; the default owner is its creator. */
  readonly defaults?: Readonly<Record<string, string>>
  /** The fields in the order in which answers show them, besides those that every record has. */
  readonly fields: Readonly<Record<string, Field>>
}

/**
 * A kind of which nothing is special: a file in `plain/` is all that it takes. Its operations, its table, its pages and its place in search,
 * events and imports follow from it.
 */
export type PlainKind = Kind & {
  readonly [Rule in 'numbered' | 'hub' | 'merged' | 'person' | 'quota' | 'staged' | 'customFields' | 'page']?: never
} & {
  readonly transferred: true
  readonly fields: Readonly<Record<string, Field & { readonly type: PlainType }>>
}

/** Amounts in currencies and values that are no single value need rules of their own. */
type PlainType = Exclude<FieldType, 'currency' | 'pointer' | 'parts' | 'tags'>

/** The fields that every record has. */
export const everyRecord = {
  createdAt: instant({ presence: 'always', written: 'never', sort: true, carried: true }),
  updatedAt: instant({ presence: 'always', written: 'never', sort: true }),
  createdById: reference({ to: 'EMPLOYEE', written: 'never', carried: true }),
  ownerId: reference({ to: 'EMPLOYEE' }),
  departmentId: reference({ to: 'DEPARTMENT', written: 'never' }),
  tags: tags({ presence: 'always' }),
  version: integer({ presence: 'always', written: 'never', ordinal: true }),
  externalSource: text({
    max: 60,
    holds: 'fixed',
    written: 'never',
    filter: true,
    description: 'The program from which an import brought the record',
  }),
  externalId: text({
    max: 200,
    holds: 'fixed',
    written: 'never',
    carried: true,
    filter: true,
    description: 'Its key in that program; compared letter for letter',
  }),
} as const

/** The field that records of custom entities have besides. */
export const everyCustomRecord = { title: text({ presence: 'required', holds: 'prose' }) } as const

/** Declares a kind of record. */
export const defineKind = <const K extends Kind>(kind: K): K => kind

/** Declares a kind of which nothing is special. */
export const definePlainKind = <const K extends PlainKind>(kind: K): K => kind

/** The fields of records whose tasks and activities the service follows. */
export const followUps = {
  openTaskCount: integer({ written: 'never', description: 'Null while tasks are switched off' }),
  nextTaskAt: instant({ written: 'never', sort: true, description: 'When the first open task is due' }),
  hasOverdueTask: flag({ written: 'never', computed: true }),
  lastActivityAt: instant({ written: 'never', sort: true }),
} as const

/** The fields of records that may stay in their stage for some time without an activity. */
export const rotting = {
  rottingAt: instant({
    written: 'never',
    computed: true,
    description: 'When it will have been left alone for too long in its stage',
  }),
  isRotting: flag({ presence: 'always', written: 'never', computed: true }),
} as const
