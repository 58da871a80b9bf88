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

/** Returns the fields in which records differ and a person chooses; an empty field is filled by itself. */
export function differingFields(
  { key, fields }: Pick<Kind, 'key' | 'fields'>,
  records: readonly AnyRecord[],
): readonly Field[] {
  const offered: readonly string[] = namesWith(kindOf(key)?.fields ?? {}, 'preferred')
  return fields.filter((field) => {
    const values = records.map((record) => valueOf(record, field)).filter((value) => !isEmpty(value))
    return offered.includes(field.key) && new Set(values.map((value) => JSON.stringify(value))).size > 1
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
