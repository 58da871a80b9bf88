import { entitiesWith, kindOf, namesWith } from '@crm/model'
import { valueOf } from './field-values.ts'
import type { AnyRecord } from './record-calls.ts'
import type { Field, Kind } from './record-kinds.ts'

/** Whether records of a kind can be merged. */
export function isMergeable(entityType: string): entityType is Mergeable {
  return mergeable.some((known) => known === entityType)
}
const mergeable = entitiesWith('merged')
type Mergeable = (typeof mergeable)[number]

/** Returns the fields in which two records differ and a person chooses; an empty field is filled by itself. */
export function differingFields(
  { key, fields }: Pick<Kind, 'key' | 'fields'>,
  one: AnyRecord,
  other: AnyRecord,
): readonly Field[] {
  const offered: readonly string[] = namesWith(kindOf(key)?.fields ?? {}, 'preferred')
  return fields.filter((field) => {
    const [a, b] = [valueOf(one, field), valueOf(other, field)]
    return offered.includes(field.key) && !isEmpty(a) && !isEmpty(b) && JSON.stringify(a) !== JSON.stringify(b)
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
