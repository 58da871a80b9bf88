import { brokenReference } from '@crm/db'
import { invalidReference } from '@crm/errors'

/** Columns that stand for a field with another name on the wire. */
const wireNames: Readonly<Record<string, string>> = { roleId: 'roleIds' }

/**
 * What a record names can be deleted between the check of the name and the write. The database refuses the write then, and
 * the caller is told the same as if the check had come later: INVALID_REFERENCE with the field.
 */
export async function refusingBrokenReferences<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const column = brokenReference(error)
    throw column === undefined ? error : invalidReference(wireNames[column] ?? column)
  }
}
