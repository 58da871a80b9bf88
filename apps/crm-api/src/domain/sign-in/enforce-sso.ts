import { hasEmergencyAccess, type Executor, type Transaction, type schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { fullName, type SignInPolicy, type Workspace } from '@crm/identity'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { queueAccountMail } from './account-mails.ts'
import { auditRefusal } from './audit-refusal.ts'
import type { Person } from './people.repository.ts'

/** Whether a person may sign in this way: while the identity provider is enforced, only the emergency access has another one. */
export function isAllowedWay(
  { workspace }: { readonly workspace: Workspace },
  person: Pick<Person, 'id'>,
  method: schema.SignInMethod,
): boolean {
  const { enforceSso, breakGlassUserIds } = workspace.signInPolicy
  return !enforceSso || method === 'SSO' || (method === 'PASSWORD' && breakGlassUserIds.includes(person.id))
}

/** Refuses every way of signing in but the identity provider, alike for everybody, where the workspace enforces it. */
export function refuseUnderSso({ workspace }: { readonly workspace: Workspace }): void {
  if (workspace.signInPolicy.enforceSso) throw new ApiError('SSO_REQUIRED')
}

/** Lets only the people of the emergency access in with a password while the identity provider is enforced. */
export async function requireAllowedWay(
  context: CrmContext,
  {
    person,
    method,
    hasSecondFactor,
  }: { readonly person: Person; readonly method: schema.SignInMethod; readonly hasSecondFactor?: boolean },
): Promise<void> {
  if (!isAllowedWay(context, person, method)) {
    await auditRefusal(context, person.email, person, 'SSO')
    throw new ApiError('SSO_REQUIRED')
  }
  if (!context.workspace.signInPolicy.enforceSso || method === 'SSO') return
  // It is noted with the password; the second factor only goes on with it.
  if (!hasSecondFactor) await context.transact((tx) => noteBreakGlass(tx, context, person))
}

/** Writes the use of the emergency access down, and tells everybody who has it. */
async function noteBreakGlass(tx: Transaction, context: CrmContext, person: Person): Promise<void> {
  const name = fullName(person)
  const actor = { type: 'EMPLOYEE' as const, id: person.id, name, source: 'UI' as const }
  await audit(
    tx,
    { ...context, actor },
    {
      action: 'break-glass.used',
      subjectType: 'EMPLOYEE',
      subjectId: person.id,
      summary: `${name} signed in with the emergency access`,
    },
  )
  for (const employeeId of context.workspace.signInPolicy.breakGlassUserIds)
    await queueAccountMail(tx, { ...context, actor }, { kind: 'break-glass-used', employeeId, name })
}

/**
 * Refuses to enforce the identity provider while nobody could repair it: one of the people of the emergency access must be an
 * active administrator with a password and a second factor.
 */
export async function requireBreakGlass(
  db: Executor,
  workspaceId: string,
  rules: Pick<SignInPolicy, 'enforceSso' | 'breakGlassUserIds'>,
): Promise<void> {
  if (!(await hasEmergencyAccess(db, workspaceId, rules))) throw new ApiError('BREAK_GLASS_REQUIRED')
}
