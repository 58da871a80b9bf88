import type { DeclaredOperation } from '@crm/contract'
import { UndeclaredAnswer } from './undeclared-answer.ts'

/** Throws when an answer differs from the operation's declaration: an invalid value, or a key, at any depth, that no schema names. */
export function checkReply({ title, operation: { reply } }: DeclaredOperation, status: number, body: unknown): void {
  const schema = reply.also?.status === status ? reply.also.body : reply.body
  const result = schema.safeParse(body)
  if (!result.success)
    throw new UndeclaredAnswer(`${title} answered something else than it declares: ${result.error.message}`)
  const undeclared = undeclaredKeys(body, result.data)
  if (undeclared.length > 0)
    throw new UndeclaredAnswer(`${title} answered what it does not declare: ${undeclared.join(', ')}`)
}

/** Returns the paths of keys that are missing from the parsed value, because schemas drop unknown keys. */
function undeclaredKeys(value: unknown, parsed: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const at = path === '' ? key : `${path}.${key}`
    return Object.hasOwn(parsed, key) ? undeclaredKeys(part, (parsed as Record<string, unknown>)[key], at) : [at]
  })
}
