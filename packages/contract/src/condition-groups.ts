import * as z from 'zod'
import { readConditions, RefusedFilter, structuredLimits, type ConditionGroup } from './read-conditions.ts'

/** A structured filter as a parameter of a list: JSON, read into its groups and conditions. Its fields are checked against the list. */
export const conditionsParam = z
  .string()
  .max(structuredLimits.characters)
  .transform((text, context): ConditionGroup => {
    try {
      return readConditions(text)
    } catch (error) {
      if (!(error instanceof RefusedFilter)) throw error
      context.addIssue({ code: 'custom', message: error.message, params: error.wrong && { ...error.wrong } })
      return z.NEVER
    }
  })
  .meta({ description: 'JSON {"and":[{"field","op","value"}]}, or; see operators of GET /api/schema' })
