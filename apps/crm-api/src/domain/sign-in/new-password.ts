import { ApiError } from '@crm/errors'
import { findPasswordProblems, passwordProblems, type PasswordOwner } from '@crm/identity'
import type { CrmContext } from '../../platform/context.ts'
import { estimateFor } from './password-estimate.ts'

/** Refuses a password that the rules of the workspace do not allow, with every reason. */
export async function requireGoodPassword(
  { workspace, deps }: CrmContext,
  field: string,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const { passwordMinLength: minLength } = workspace.signInPolicy
  const rules = { minLength, breachedFile: deps.breachedPasswordsFile, estimate: estimateFor(workspace.id) }
  const problems = await findPasswordProblems(password, owner, rules)
  if (problems.length === 0) return
  const messageOf = (problem: (typeof problems)[number]): string =>
    problem === 'TOO_SHORT' ? `A password has at least ${minLength} characters` : passwordProblems[problem]
  throw new ApiError('VALIDATION_ERROR', {
    issues: problems.map((code) => ({ path: [field], code, message: messageOf(code) })),
  })
}

/** Refuses passwords that somebody types for another person, unless the workspace allows them. */
export function requireTypedPasswords({ workspace }: CrmContext): void {
  if (!workspace.signInPolicy.typedPasswords) throw new ApiError('TYPED_PASSWORDS_OFF')
}
