import type { Issue } from '@crm/errors'
import type { z } from 'zod'

/** Returns the problems of a failed parse, one for each unknown key too. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.flatMap(toIssue)
}

function toIssue(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'Unknown field', code: issue.code }))
  }
  if (issue.code === 'invalid_value') return [{ path, message: issue.message, code: issue.code, values: issue.values }]
  return [{ path, message: issue.message, code: issue.code }]
}
