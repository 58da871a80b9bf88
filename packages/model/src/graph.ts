import { everyCustomRecord, everyRecord, type Kind, type PlainKind } from './kind.ts'
import { kinds, type EntityOfKind } from './kinds.ts'
import { plainKinds } from './plain-kinds.ts'
import type { Field, Target } from './field.ts'

/** The entity types of the kinds that every workspace has, in the order in which people meet them. */
export const kindEntities = Object.keys(kinds) as EntityOfKind[]

/** The entity types of the kinds of which something is true. */
type EntityWith<Rule extends keyof Kind> = {
  [Entity in EntityOfKind]: (typeof kinds)[Entity] extends { readonly [Name in Rule]: true | string } ? Entity : never
}[EntityOfKind]

/** The entity type of a kind whose records stand for people. */
export type PersonEntity = EntityWith<'person'>
/** The entity type of a kind whose records go through the stages of pipelines. */
export type StagedEntity = EntityWith<'staged'>

/** Returns the entity types of the kinds of which something is true, such as `merged`. */
export function entitiesWith<
  const Rule extends 'customFields' | 'hub' | 'merged' | 'numbered' | 'person' | 'shared' | 'staged' | 'transferred',
>(rule: Rule): readonly EntityWith<Rule>[] {
  return kindEntities.filter((entity) => rule in kinds[entity]) as EntityWith<Rule>[]
}

/** Returns a table with an entry for each kind of which nothing is special. Its type is that of the kinds that there are. */
export function tableOfPlainKinds<Table>(entryOf: (kind: PlainKind) => readonly [name: string, value: unknown]): Table {
  return Object.fromEntries(Object.values<PlainKind>(plainKinds).map(entryOf)) as Table
}

/** Returns a kind that every workspace has; undefined for a custom entity and for what is no kind of record. */
export function kindOf(entityType: string): Kind | undefined {
  return Object.hasOwn(kinds, entityType) ? kinds[entityType as EntityOfKind] : undefined
}

/** Returns the fields of records of an entity type, those that every record has included. */
export function fieldsOf(entityType: string): Fields {
  return { ...everyRecord, ...(kindOf(entityType)?.fields ?? everyCustomRecord) }
}

/** Returns a field of records of an entity type, if they have it. */
export function fieldOf(entityType: string, name: string): Field | undefined {
  const ofKind: Fields = kindOf(entityType)?.fields ?? everyCustomRecord
  return named(ofKind, name) ?? named(everyRecord, name)
}

type Fields = Readonly<Record<string, Field>>

function named(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Returns what is behind the ids or the code in a field; undefined for a field that refers to nothing. */
export function targetOf(entityType: string, name: string): Target | undefined {
  const field = fieldOf(entityType, name)
  return field?.type === 'currency' ? 'CURRENCY' : field?.rules.to
}

/** A field by which records of one kind refer to those of another. */
export interface ReferenceField {
  readonly from: EntityOfKind
  readonly name: string
  readonly to: Target
  /** Whether it holds several ids. */
  readonly isList: boolean
  /** Whether a document with a number keeps what it names. */
  readonly keeps: boolean
}

/** Every reference of one kind of record to another, by kind and in the order of the fields. */
export const referenceFields: readonly ReferenceField[] = kindEntities.flatMap((from) =>
  Object.entries<Field>(kinds[from].fields).flatMap(
    ([
      name,
      {
        type,
        rules: { to, keeps = false },
      },
    ]) => (to === undefined ? [] : [{ from, name, to, isList: type === 'references', keeps }]),
  ),
)

/** Returns the references of records of a kind. */
export function referencesOf(entityType: string): readonly ReferenceField[] {
  return referenceFields.filter(({ from }) => from === entityType)
}

/** Returns the references to records of a kind. */
export function referencesTo(entityType: string): readonly ReferenceField[] {
  return referenceFields.filter(({ to }) => to === entityType)
}

/** Returns the kinds in an order in which each comes before those that it refers to, as far as they do not refer to each other. */
export function referringFirst(): readonly EntityOfKind[] {
  const ordered: EntityOfKind[] = []
  const visit = (entity: EntityOfKind, above: readonly EntityOfKind[]): void => {
    if (ordered.includes(entity) || above.includes(entity)) return
    for (const { from } of referencesTo(entity)) visit(from, [...above, entity])
    ordered.push(entity)
  }
  for (const entity of kindEntities) visit(entity, [])
  return ordered
}

/** Returns the kinds in the order in which records come into an empty workspace: those that others refer to first. */
export function referredFirst(): readonly EntityOfKind[] {
  return referringFirst().toReversed()
}

/** Returns the kinds to which records of a kind refer and whose records do not come in before them, the kind itself included. */
export function referredLater(entityType: string): readonly string[] {
  const order: readonly string[] = referredFirst()
  const referred = referencesOf(entityType).map(({ to }) => to)
  return [entityType, ...referred.filter((to) => order.indexOf(to) > order.indexOf(entityType))]
}

/** Whether the service follows the tasks and activities of records of a kind. */
export function isFollowedUp(entityType: string): boolean {
  return kindOf(entityType)?.fields['nextTaskAt'] !== undefined
}

/** A field that says whose a record is, or who works on it. */
export interface PersonField {
  readonly name: string
  /** Whether it names several people. */
  readonly isList: boolean
}

/** Returns the fields by which records of an entity type belong to people, as far as people can give them to others. */
export function personFields(entityType: string): readonly PersonField[] {
  return Object.entries(fieldsOf(entityType)).flatMap(([name, { type, rules }]) =>
    rules.to === 'EMPLOYEE' && rules.written !== 'never' ? [{ name, isList: type === 'references' }] : [],
  )
}
