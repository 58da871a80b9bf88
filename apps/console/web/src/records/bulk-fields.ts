import { factsOf } from './record-facts.ts'
import type { Field, Kind } from './record-kinds.ts'

/** Returns the fields that many records of a kind can get at once, as far as people can fill them in. */
export function bulkEditable({ key, fields }: Kind): readonly Field[] {
  const keys = factsOf(key).bulk
  return fields.filter(
    (field) =>
      !field.readOnly &&
      field.type !== 'OTHER' &&
      (field.group === 'CUSTOM' ? keys.includes('customFields') : keys.includes(field.key)),
  )
}
