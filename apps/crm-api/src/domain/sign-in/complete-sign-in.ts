import type { SignInOutcome } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { digest, fullName, newSecret, sessionCookie } from '@crm/identity'
import { unitePermissions } from '@crm/permissions'
import { and, eq, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { queueAccountMail } from './account-mails.ts'
import { auditRefusal } from './audit-refusal.ts'
import { pendingCookie, writeOwnCookie } from './cookies.ts'
import { deviceCookie, knownDevice } from './device-cookie.ts'
import { requireAllowedWay } from './enforce-sso.ts'
import { isStillThere, type Passkey } from './passkeys.ts'
import { endPending, type PendingSignIn } from './pending-sign-ins.repository.ts'
import { lockPerson, readRoles, type Person } from './people.repository.ts'
import { readFactorMethods } from './second-factors.repository.ts'
import { insertSession, sessionIdleMs } from './sessions.repository.ts'

const { employees, pendingSignIns } = schema

/** How long a sign-in waits for its second factor. */
const pendingS = 10 * 60

/** A first step that succeeded: who, and how. */
export interface FirstStep {
  readonly person: Person
  readonly method: schema.SignInMethod
  /** Whether a second factor was shown already, as part of this step. */
  readonly hasSecondFactor?: boolean
  /** The longest life of the session in hours, where the way of signing in sets one of its own. */
  readonly hoursMax?: number | null
  /** The sign-in at an identity provider that it was. */
  readonly ssoId?: string | null
  /** The sign-in that waited for its second factor until now; it is used up. */
  readonly pending?: PendingSignIn
  /** The passkey that was shown alone. */
  readonly passkey?: Passkey
}

/**
 * Ends the first step of a sign-in: with a session, or with the cookie of a sign-in that waits for its second factor. Sets the
 * cookies and writes the audit entry.
 * Throws ACCOUNT_DISABLED for people who are not active.
 */
export async function completeSignIn(context: CrmContext, firstStep: FirstStep): Promise<SignInOutcome> {
  const { person } = firstStep
  await requireAllowedWay(context, firstStep)
  await requireActive(context, person)
  const held = await readRoles(context.db, person)
  if (!firstStep.hasSecondFactor) {
    const methods = await readFactorMethods(context.db, person)
    if (methods.length > 0) return waitFor(context, firstStep, 'SECOND_FACTOR', methods)
    const roleIds = held.map(({ id }) => id)
    if (needsSecondFactor(context, roleIds)) return waitFor(context, firstStep, 'ENROL', ['TOTP', 'PASSKEY'])
  }
  return startSession(context, firstStep, held)
}

/** Refuses people who are not active, and writes it down. */
export async function requireActive(context: CrmContext, person: Person): Promise<void> {
  if (person.kind === 'SERVICE') throw new Error('A service account never signs in')
  if (person.status === 'ACTIVE') return
  await auditRefusal(context, person.email, person, 'DISABLED')
  throw new ApiError('ACCOUNT_DISABLED')
}

/** Whether the workspace requires a second factor of people with these roles. */
export function needsSecondFactor({ workspace }: CrmContext, roleIds: readonly string[]): boolean {
  const { secondFactor, secondFactorRoleIds } = workspace.signInPolicy
  return secondFactor === 'REQUIRED' || roleIds.some((id) => secondFactorRoleIds.includes(id))
}

async function waitFor(
  context: CrmContext,
  firstStep: FirstStep,
  step: 'SECOND_FACTOR' | 'ENROL',
  methods: Extract<SignInOutcome, { methods: unknown }>['methods'],
): Promise<SignInOutcome> {
  const { person, method, hoursMax, ssoId } = firstStep
  const { workspace, at } = context
  const token = newSecret()
  await context.transact(async (tx) => {
    await requireStillValid(tx, firstStep)
    await tx.insert(pendingSignIns).values({
      workspaceId: workspace.id,
      tokenHash: digest(token),
      employeeId: person.id,
      step,
      method,
      hoursMax,
      ssoId,
      createdAt: at,
      expiresAt: new Date(Date.parse(at) + pendingS * 1_000).toISOString(),
    })
  })
  // A browser has a session or a sign-in that waits, never both: the second factor is added to the account that signs in.
  context.setHeader('set-cookie', [
    writeOwnCookie(workspace, pendingCookie, token, pendingS),
    writeOwnCookie(workspace, sessionCookie, '', 0),
  ])
  return { step, methods }
}

/** The refusals of sign-ins whose proof no longer holds when they are to be completed. */
const overtaken = {
  PASSWORD: ['AUTHENTICATION_ERROR', 'The email address or the password is wrong'],
  PASSKEY: ['AUTHENTICATION_ERROR', 'This passkey is not known here'],
  INVITATION: ['LINK_INVALID', undefined],
  RESET: ['LINK_INVALID', undefined],
} as const

/**
 * Locks the person and requires that what they showed is still valid: a new password, a reset or the removal of a factor that was
 * committed meanwhile has ended all sessions, and no sign-in of before makes one afterwards.
 */
async function requireStillValid(tx: Transaction, { person, method, pending, passkey }: FirstStep): Promise<void> {
  const now = await lockPerson(tx, person)
  if (now?.status !== 'ACTIVE') throw new ApiError('ACCOUNT_DISABLED')
  if (pending && !(await endPending(tx, pending))) throw new ApiError('SIGN_IN_EXPIRED')
  if (method === 'SSO') return
  const isSame = now.passwordHash === person.passwordHash && (!passkey || (await isStillThere(tx, passkey)))
  if (isSame) return
  const [code, message] = pending ? (['SIGN_IN_EXPIRED', undefined] as const) : overtaken[method]
  throw new ApiError(code, message === undefined ? {} : { message })
}

/** Starts the session of a person who has shown everything that is needed. */
async function startSession(
  context: CrmContext,
  firstStep: FirstStep,
  held: Awaited<ReturnType<typeof readRoles>>,
): Promise<SignInOutcome> {
  const { person, method, hasSecondFactor = false, hoursMax, ssoId } = firstStep
  const { workspace } = context
  const name = fullName(person)
  const actor = { type: 'EMPLOYEE' as const, id: person.id, name, source: 'UI' as const }
  const { token, deviceKey } = await context.transact(async (tx) => {
    await requireStillValid(tx, firstStep)
    const value = await insertSession(tx, context, {
      employeeId: person.id,
      method,
      secondFactor: hasSecondFactor,
      hoursMax,
      ssoId,
    })
    const key = await noteSignIn(tx, context, person)
    if (isNewDevice(context, firstStep))
      await queueAccountMail(tx, { ...context, actor }, { kind: 'new-device', employeeId: person.id })
    await audit(
      tx,
      { ...context, actor },
      {
        action: 'session.started',
        subjectType: 'EMPLOYEE',
        subjectId: person.id,
        summary: `${name} signed in`,
        data: { method, secondFactor: hasSecondFactor },
      },
    )
    return { token: value, deviceKey: key }
  })
  context.setHeader('set-cookie', [
    writeOwnCookie(workspace, sessionCookie, token, sessionIdleMs(context) / 1_000),
    deviceCookie(context, { ...person, deviceKey }),
    writeOwnCookie(workspace, pendingCookie, '', 0),
  ])
  const { id, email } = person
  const user = { id, email, name, roleIds: held.map((role) => role.id), permissions: [...unitePermissions(held)] }
  return { step: 'DONE', user }
}

/** Whether somebody signs in from a device that they have not signed in from; by a link they always do. */
function isNewDevice(context: CrmContext, { person, method }: FirstStep): boolean {
  const isByLink = method === 'INVITATION' || method === 'RESET'
  return !isByLink && person.signedInAt !== null && knownDevice(context, person) === null
}

/** Notes the time of the sign-in; somebody without a password gets the secret of their devices the first time. */
async function noteSignIn(tx: Transaction, { at }: CrmContext, person: Person): Promise<string | null> {
  const [noted] = await tx
    .update(employees)
    .set({
      signedInAt: at,
      ...(person.passwordHash === null ? { deviceKey: sql`coalesce(${employees.deviceKey}, ${newSecret()})` } : {}),
    })
    .where(and(eq(employees.workspaceId, person.workspaceId), eq(employees.id, person.id)))
    .returning({ deviceKey: employees.deviceKey })
  return noted?.deviceKey ?? null
}
