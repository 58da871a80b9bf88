import { fieldOf, kindOf, referencesOf, referencesTo, type ReferenceField } from '@crm/model'
import type { RecordPlace } from './record-place.ts'

/** The records that are related to those of a kind. */
export type Relation =
  /** All records of a kind that name the record in a field. */
  | { readonly kind: string; readonly by: string }
  /** The one record of a kind that the record itself names in a field. */
  | { readonly kind: string; readonly in: string }
  /** All records of a kind that are linked to the record. */
  | { readonly kind: 'TASK' | 'ACTIVITY'; readonly by: 'link' }

/** Returns the relations of a kind that every workspace has: the records that it names, then the lists of records that name it. */
function relationsOfKind(entityType: string): readonly Relation[] {
  const named = referencesOf(entityType).filter(({ to }) => kindOf(to))
  const naming = referencesTo(entityType)
  return [
    ...named.filter(isShown).map(({ name, to }) => ({ kind: to, in: name })),
    ...naming.filter(isShown).map(({ name, from }) => ({ kind: from, by: name })),
  ]
}

/** Whether a reference is shown: of two kinds that name each other, only what people write says how they are related. */
function isShown({ from, name, to, isList }: ReferenceField): boolean {
  const isMirrored = from !== to && referencesOf(to).some((other) => other.to === from)
  return !isList && !(isMirrored && fieldOf(from, name)?.rules.written === 'never')
}

const ofCustomEntities: readonly Relation[] = [
  { kind: 'TASK', by: 'link' },
  { kind: 'ACTIVITY', by: 'link' },
]

/** Returns the relations of a kind. Records of custom entities have those that any record can have. */
export function relationsOf(entityType: string, isCustom: boolean): readonly Relation[] {
  return isCustom ? ofCustomEntities : relationsOfKind(entityType)
}

/** Returns what a row says of a related record: an amount, and a field beneath its name. */
export function rowFieldsOf(entityType: string): { readonly amount?: string; readonly note?: string } {
  return kindOf(entityType)?.line ?? {}
}

/** Returns the parameters of the list that finds the related records. */
export function narrowingTo(by: string, { entityType, entityId }: RecordPlace): Readonly<Record<string, string>> {
  return by === 'link' ? { entityType, entityId } : { [by]: entityId }
}
