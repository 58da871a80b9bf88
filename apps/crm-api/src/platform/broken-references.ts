import { brokenReference } from '@crm/db'
import { invalidReference } from '@crm/errors'

/** Columns whose field has another name on the wire. */
const wireNames: Readonly<Record<string, string>> = { roleId: 'roleIds' }

/**
 * Runs a write and turns a broken reference into INVALID_REFERENCE with the field. A named record can be deleted between the
 * check of the reference and the write; the caller gets the same answer as from the check.
 */
export async function refusingBrokenReferences<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const column = brokenReference(error)
    throw column === undefined ? error : invalidReference(wireNames[column] ?? column)
  }
}
