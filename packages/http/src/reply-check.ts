import type { DeclaredOperation } from '@crm/contract'
import { UndeclaredAnswer } from './undeclared-answer.ts'

/** Throws when what goes out is not what the operation declares: a value that does not fit, or a key, at any depth, that no schema names. */
export function checkReply({ title, operation: { reply } }: DeclaredOperation, status: number, body: unknown): void {
  const schema = reply.also?.status === status ? reply.also.body : reply.body
  const result = schema.safeParse(body)
  if (!result.success)
    throw new UndeclaredAnswer(`${title} answered something else than it declares: ${result.error.message}`)
  const undeclared = undeclaredKeys(body, result.data)
  if (undeclared.length > 0)
    throw new UndeclaredAnswer(`${title} answered what it does not declare: ${undeclared.join(', ')}`)
}

/** The paths of keys that a value has and that were left out when it was parsed, which is how schemas treat keys that they do not know. */
function undeclaredKeys(value: unknown, parsed: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const at = path === '' ? key : `${path}.${key}`
    return Object.hasOwn(parsed, key) ? undeclaredKeys(part, (parsed as Record<string, unknown>)[key], at) : [at]
  })
}
