import { brokenConstraint, sqlState } from '@crm/db'
import { ApiError } from '@crm/errors'

/** Runs a write and turns a broken unique rule into NAME_TAKEN for the field of the rule. */
export async function withUniqueFields<T>(
  fields: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const field = sqlState(error) === '23505' ? fields[brokenConstraint(error) ?? ''] : undefined
    if (!field) throw error
    throw new ApiError('NAME_TAKEN', { message: `This ${field} is taken`, details: { field } })
  }
}
