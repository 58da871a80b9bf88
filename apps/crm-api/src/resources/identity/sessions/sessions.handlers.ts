import { sessions, success, type Proof } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { hashPassword, sessionCookie, verifyPassword } from '@crm/identity'
import { auditRefusal } from '../../../domain/sign-in/audit-refusal.ts'
import { completeSignIn } from '../../../domain/sign-in/complete-sign-in.ts'
import { writeOwnCookie } from '../../../domain/sign-in/cookies.ts'
import { deviceCookie } from '../../../domain/sign-in/device-cookie.ts'
import { requireGoodPassword } from '../../../domain/sign-in/new-password.ts'
import { replacePassword } from '../../../domain/sign-in/passwords.repository.ts'
import { countedInSession, countedUnder, inTurn, requireTry } from '../../../domain/sign-in/password-checks.ts'
import { isAllowedWay, refuseUnderSso } from '../../../domain/sign-in/enforce-sso.ts'
import { findPerson, lockPerson, readPerson, type Person } from '../../../domain/sign-in/people.repository.ts'
import {
  endSessions,
  endSessionsNoted,
  readSessions,
  renewSession,
  sessionIdleMs,
} from '../../../domain/sign-in/sessions.repository.ts'
import { showFactor } from '../../../domain/sign-in/show-factor.ts'
import { forgiveSignInTries } from '../../../domain/sign-in/sign-in-tries.repository.ts'
import { signOutAddress } from '../../../domain/sso/sso-sessions.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'

export const implementedSessions = implement(sessions, {
  login: ({ body }, context) =>
    inTurn(context, async () => {
      const person = await findPerson(context.db, context.workspace.id, body.email)
      const under = await countedUnder(context, body.email, person)
      const { isLast } = await requireTry(context, under)
      const matches = await verifyPassword(person?.passwordHash ?? null, body.password)
      // A right password that is of no use here is answered and counted like a wrong one: otherwise it would be a test of passwords.
      if (!person || !matches || !isAllowedWay(context, person, 'PASSWORD')) {
        await auditRefusal(context, body.email, person, !person ? 'UNKNOWN' : matches ? 'SSO' : 'PASSWORD')
        if (isLast) await auditRefusal(context, body.email, person, 'THROTTLED')
        refuseUnderSso(context)
        throw new ApiError('AUTHENTICATION_ERROR', { message: 'The email address or the password is wrong' })
      }
      await forgiveSignInTries(context.deps.db, context.workspace.id, under)
      return success(await completeSignIn(context, { person, method: 'PASSWORD' }))
    }),

  logout: async (_input, context) => {
    const { caller, workspace } = context
    const { id } = caller.credential
    const redirectTo = await signOutAddress(context)
    await endSessionsNoted(context, { employeeId: caller.employee.id, id }, caller.employee)
    context.setHeader('set-cookie', writeOwnCookie(workspace, sessionCookie, '', 0))
    return success({ id, redirectTo })
  },

  reauthenticate: async ({ body }, context) => {
    const { caller, workspace } = context
    const { id } = caller.credential
    await requireProof(context, body)
    const token = await changingWorkspace(context, async (tx) => {
      await audit(tx, context, {
        action: 'session.reauthenticated',
        subjectType: 'EMPLOYEE',
        subjectId: caller.employee.id,
        summary: `${caller.employee.name} confirmed who they are`,
      })
      return renewSession(tx, context, id)
    })
    context.setHeader('set-cookie', writeOwnCookie(workspace, sessionCookie, token, sessionIdleMs(context) / 1_000))
    const freshMs = workspace.signInPolicy.reauthMinutes * 60_000
    return success({ id, freshUntil: new Date(Date.parse(context.at) + freshMs).toISOString() })
  },

  password: async ({ body }, context) => {
    const person = await requirePassword(context, body.current, wrongCurrentPassword)
    await requireGoodPassword(context, 'next', body.next, person)
    const passwordHash = await inTurn(context, () => hashPassword(body.next))
    const endedSessions = await changingWorkspace(context, (tx) => changePassword(tx, context, person, passwordHash))
    context.setHeader('set-cookie', deviceCookie(context, { ...person, passwordHash }))
    return success({ endedSessions })
  },

  list: async (_input, context) => ({ data: await readSessions(context.db, context, context.caller.employee.id) }),

  deleteOthers: async (_input, context) => {
    const { caller } = context
    const choice = { employeeId: caller.employee.id, exceptId: caller.credential.id }
    return success({ endedSessions: await endSessionsNoted(context, choice, caller.employee) })
  },

  delete: async ({ params }, context) => {
    const { employee } = context.caller
    const ended = await endSessionsNoted(context, { employeeId: employee.id, id: params.id }, employee)
    if (ended === 0) throw context.refuse('NOT_FOUND', { message: 'There is no such session' })
    return success({ id: params.id })
  },
})

/** Requires a proof of who the caller is, with a limit of tries. */
async function requireProof(context: CrmContext, { password, method, code, response }: Proof): Promise<void> {
  if (password !== undefined) return void (await requirePassword(context, password, wrongPassword))
  const { caller, workspace, deps } = context
  const under = countedInSession(context)
  await requireTry(context, under)
  const person = await readPerson(context.db, workspace.id, caller.employee.id)
  const factor = { method: method ?? ('PASSKEY' as const), code, response }
  const isRight = person && (await context.transact((tx) => showFactor(tx, context, 'REAUTHENTICATE', person, factor)))
  if (!isRight) throw new ApiError('SECOND_FACTOR_INVALID')
  await forgiveSignInTries(deps.db, workspace.id, under)
}

/** Requires the caller's present password, with a limit of tries. */
function requirePassword(context: CrmContext, password: string, refusal: () => ApiError): Promise<Person> {
  return inTurn(context, async () => {
    const { caller, workspace, deps } = context
    const person = await readPerson(context.db, workspace.id, caller.employee.id)
    const under = countedInSession(context)
    await requireTry(context, under)
    const matches = await verifyPassword(person?.passwordHash ?? null, password)
    if (!person || !matches) throw refusal()
    await forgiveSignInTries(deps.db, workspace.id, under)
    return person
  })
}

/** Changes the password that was shown: whoever knew an earlier one changes nothing any more. */
async function changePassword(
  tx: Transaction,
  context: CrmContext,
  person: Person,
  passwordHash: string,
): Promise<number> {
  const { id, name } = context.caller.employee
  const now = await lockPerson(tx, person)
  if (now?.passwordHash !== person.passwordHash) throw wrongCurrentPassword()
  await replacePassword(tx, context, id, passwordHash)
  await audit(tx, context, {
    action: 'password.changed',
    subjectType: 'EMPLOYEE',
    subjectId: id,
    summary: `${name} changed their password`,
  })
  return endSessions(tx, context, { employeeId: id, exceptId: context.caller.credential.id })
}

function wrongPassword(): ApiError {
  return new ApiError('AUTHENTICATION_ERROR', { message: 'The password is wrong' })
}

function wrongCurrentPassword(): ApiError {
  return new ApiError('AUTHENTICATION_ERROR', { message: 'The current password is wrong' })
}
