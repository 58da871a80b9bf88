import { brokenConstraint, sqlState } from '@crm/db'
import { ApiError } from '@crm/errors'

/** Turns a broken unique rule into NAME_TAKEN for the field it stands for. */
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
