import { secondFactors, success } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { fullName } from '@crm/identity'
import { createFixedWindow, type FixedWindow, type RedisConnection } from '@crm/redis'
import { and, count, eq, isNull } from 'drizzle-orm'
import { auditCheapRefusal, auditRefusal } from '../../../domain/sign-in/audit-refusal.ts'
import { noteFactorChange, removeFactor, removeTotp } from '../../../domain/sign-in/change-factors.ts'
import { completeSignIn, requireActive } from '../../../domain/sign-in/complete-sign-in.ts'
import { refuseUnderSso } from '../../../domain/sign-in/enforce-sso.ts'
import { knownDevice } from '../../../domain/sign-in/device-cookie.ts'
import {
  addPasskey,
  findPasskey,
  optionsToAdd,
  optionsToShow,
  readPasskeys,
  usePasskey,
  type Passkey,
} from '../../../domain/sign-in/passkeys.ts'
import { countedInSession, requireTry } from '../../../domain/sign-in/password-checks.ts'
import {
  countFactor,
  endPending,
  isStillPending,
  requirePending,
  type PendingSignIn,
} from '../../../domain/sign-in/pending-sign-ins.repository.ts'
import { lockPerson, readPerson, type Person } from '../../../domain/sign-in/people.repository.ts'
import { replaceRecoveryCodes } from '../../../domain/sign-in/recovery-codes.ts'
import { readFactorMethods } from '../../../domain/sign-in/second-factors.repository.ts'
import { isStillSession } from '../../../domain/sign-in/sessions.repository.ts'
import { showFactor } from '../../../domain/sign-in/show-factor.ts'
import { signInLimits } from '../../../domain/sign-in/sign-in-limits.ts'
import { forgiveSignInTries, type CountedUnder } from '../../../domain/sign-in/sign-in-tries.repository.ts'
import { confirmTotp, offerTotp } from '../../../domain/sign-in/totp.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { countClient } from '../../../platform/count-client.ts'
import { changingPeople } from '../../../records/audit.ts'
import { rehearsed } from '../../../records/rehearsal.ts'

const { passkeys, recoveryCodes, totpFactors } = schema

export const implementedSecondFactors = implement(secondFactors, {
  list: async (_input, context) => {
    const { person } = await requireSelf(context)
    const of = { workspaceId: person.workspaceId, id: person.id }
    const [totp] = await context.db
      .select({ confirmedAt: totpFactors.confirmedAt })
      .from(totpFactors)
      .where(and(eq(totpFactors.workspaceId, of.workspaceId), eq(totpFactors.employeeId, of.id)))
    const [left] = await context.db
      .select({ n: count() })
      .from(recoveryCodes)
      .where(
        and(
          eq(recoveryCodes.workspaceId, of.workspaceId),
          eq(recoveryCodes.employeeId, of.id),
          isNull(recoveryCodes.usedAt),
        ),
      )
    return success({
      totp: totp?.confirmedAt ? { confirmedAt: totp.confirmedAt } : null,
      passkeys: await readPasskeys(context.db, of),
      recoveryCodesLeft: left?.n ?? 0,
    })
  },

  addTotp: async (_input, context) => {
    const { person } = await requireSelf(context)
    return success(await context.transact((tx) => offerTotp(tx, context, person)))
  },

  confirmTotp: async ({ body }, context) => {
    const self = await requireSelf(context)
    const { person } = self
    await countConfirmation(context, self)
    const codes = await context.transact(async (tx) => {
      await requireStillSelf(tx, context, self)
      if (!(await confirmTotp(tx, context, person, body.code))) return null
      const made = await replaceRecoveryCodes(tx, person)
      await noteFactorChange(tx, as(context, person), {
        action: 'second-factor.added',
        summary: `${fullName(person)} added an authenticator app`,
        person,
      })
      return made
    })
    if (!codes) throw new ApiError('SECOND_FACTOR_INVALID')
    return success({ recoveryCodes: codes, ...(await finishEnrolment(context, self)) })
  },

  removeTotp: async (_input, context) => {
    const { person } = await requireSelf(context)
    await changingPeople(context, (tx) =>
      removeFactor(tx, context, person, async () => {
        if (!(await removeTotp(tx, person)))
          throw new ApiError('NOT_FOUND', { message: 'There is no authenticator app' })
        await noteFactorChange(tx, context, {
          action: 'second-factor.removed',
          summary: `${fullName(person)} removed their authenticator app`,
          person,
        })
      }),
    )
    return success({})
  },

  makeRecoveryCodes: async (_input, context) => {
    const self = await requireSelf(context)
    const { person } = self
    if ((await readFactorMethods(context.db, person)).length === 0)
      throw new ApiError('INVALID_TRANSITION', {
        message: 'Recovery codes need a second factor that they stand in for',
      })
    const codes = await context.transact(async (tx) => {
      await requireStillSelf(tx, context, self)
      await noteFactorChange(tx, context, {
        action: 'second-factor.added',
        summary: `${fullName(person)} made new recovery codes`,
        person,
      })
      return replaceRecoveryCodes(tx, person)
    })
    return success({ recoveryCodes: codes })
  },

  passkeyOptions: async (_input, context) => {
    const { person } = await requireSelf(context)
    return success(await optionsToAdd(context, person))
  },

  addPasskey: async ({ body }, context) => {
    const self = await requireSelf(context)
    const { person } = self
    const added = await context.transact(async (tx) => {
      await requireStillSelf(tx, context, self)
      const passkey = await addPasskey(tx, context, person, body)
      if (passkey)
        await noteFactorChange(tx, as(context, person), {
          action: 'passkey.added',
          summary: `${fullName(person)} added a passkey`,
          person,
        })
      return passkey
    })
    if (!added) throw new ApiError('SECOND_FACTOR_INVALID')
    return success({ ...added, ...(await finishEnrolment(context, self)) })
  },

  renamePasskey: async ({ params, body }, context) => {
    const [row] = await context.transact((tx) =>
      tx.update(passkeys).set({ name: body.name }).where(isOwnPasskey(context, params.id)).returning(),
    )
    if (!row) throw noPasskey()
    return success(row)
  },

  removePasskey: async ({ params }, context) => {
    const { person } = await requireSelf(context)
    await changingPeople(context, (tx) =>
      removeFactor(tx, context, person, async () => {
        const { rowCount } = await tx.delete(passkeys).where(isOwnPasskey(context, params.id))
        if (rowCount !== 1) throw noPasskey()
        await noteFactorChange(tx, context, {
          action: 'passkey.removed',
          summary: `${fullName(person)} removed a passkey`,
          person,
        })
      }),
    )
    return success({ id: params.id })
  },

  passkeySignInOptions: async (_input, context) => {
    const { allowed, retryAfterS } = await countClient(context, challengesOf(context.deps.redis), 1_200)
    if (!allowed) throw new ApiError('RATE_LIMITED', { retryAfterS })
    return success(await optionsToShow(context, 'SIGN_IN', null))
  },

  passkeySignIn: async ({ body }, context) => {
    // While the identity provider is enforced a passkey is not used up, and its person is only written down.
    const { enforceSso } = context.workspace.signInPolicy
    const used = await context.transact((tx) =>
      rehearsed(enforceSso, tx, (inner) => usePasskey(inner, context, 'SIGN_IN', null, body.response)),
    )
    const person = used && (await personOf(context, used))
    if (!person) {
      const owner = await ownerOfPasskey(context, body.response.id)
      const name = owner?.email ?? 'somebody with a passkey'
      await auditCheapRefusal(context, name, owner, owner ? 'SECOND_FACTOR' : 'UNKNOWN')
      refuseUnderSso(context)
      throw new ApiError('AUTHENTICATION_ERROR', { message: 'This passkey is not known here' })
    }
    return success(await completeSignIn(context, { person, method: 'PASSKEY', passkey: used, hasSecondFactor: true }))
  },

  secondFactorOptions: async (_input, context) => {
    if (context.caller.isAmbient) {
      const { person } = await requireSelf(context)
      return success(await optionsToShow(context, 'REAUTHENTICATE', person))
    }
    const { person } = await requirePending(context, 'SECOND_FACTOR')
    return success(await optionsToShow(context, 'SECOND_FACTOR', person))
  },

  secondFactor: async ({ body }, context) => {
    const pending = await requirePending(context, 'SECOND_FACTOR')
    const { person, row } = pending
    await requireActive(context, person)
    const under = countedUnderPerson(context, person)
    await requireTry(context, under)
    const { isLast } = await countFactor(context, pending)
    const isRight = await context.transact((tx) => showFactor(tx, as(context, person), 'SECOND_FACTOR', person, body))
    if (!isRight) {
      await auditRefusal(context, person.email, person, 'SECOND_FACTOR')
      if (!isLast) throw new ApiError('SECOND_FACTOR_INVALID')
      await endPending(context.deps.db, pending)
      throw new ApiError('SIGN_IN_EXPIRED')
    }
    const { method, hoursMax, ssoId } = row
    const outcome = await completeSignIn(context, { person, method, hoursMax, ssoId, pending, hasSecondFactor: true })
    await forgiveSignInTries(context.deps.db, context.workspace.id, under)
    return success(outcome)
  },
})

/** A person who changes their own second factors: in a session, or in a sign-in that needs one. */
interface Self {
  readonly person: Person
  readonly pending: PendingSignIn | null
}

async function requireSelf(context: CrmContext): Promise<Self> {
  const { caller, db, workspace } = context
  if (!caller.isAmbient) {
    const pending = await requirePending(context, 'ENROL')
    await requireActive(context, pending.person)
    return { person: pending.person, pending }
  }
  const person = await readPerson(db, workspace.id, caller.employee.id)
  if (!person) throw new ApiError('NOT_FOUND')
  return { person, pending: null }
}

/** Locks the person and requires that nothing has ended their session or sign-in meanwhile: a new factor would outlast that end. */
async function requireStillSelf(tx: Transaction, context: CrmContext, { person, pending }: Self): Promise<void> {
  await lockPerson(tx, person)
  if (pending && !(await isStillPending(tx, pending))) throw new ApiError('SIGN_IN_EXPIRED')
  if (!pending && !(await isStillSession(tx, context))) throw new ApiError('AUTHENTICATION_ERROR')
}

/** Counts a code that is to confirm an app, in the session or in the sign-in. */
async function countConfirmation(context: CrmContext, { pending }: Self): Promise<void> {
  if (!pending) return void (await requireTry(context, countedInSession(context)))
  await countFactor(context, pending)
}

/** Gives the session to a sign-in that needed its first second factor. */
async function finishEnrolment(context: CrmContext, { person, pending }: Self) {
  if (!pending) {
    await forgiveSignInTries(context.deps.db, context.workspace.id, countedInSession(context))
    return {}
  }
  const { method, hoursMax, ssoId } = pending.row
  const outcome = await completeSignIn(context, { person, method, hoursMax, ssoId, pending, hasSecondFactor: true })
  return outcome.step === 'DONE' ? outcome : {}
}

/** Returns the context with the person who signs in as its actor. */
function as(context: CrmContext, person: Person): CrmContext {
  return { ...context, actor: { type: 'EMPLOYEE', id: person.id, name: fullName(person), source: 'UI' } }
}

/** Strangers who know a password have a number of tries in all, and each known device has as many of its own. */
function countedUnderPerson(context: CrmContext, person: Person): CountedUnder[] {
  const device = knownDevice(context, person)
  const key = device === null ? `second-factor:${person.id}` : `second-factor:${person.id}:${device}`
  return [{ limit: signInLimits.secondFactor, key }]
}

function isOwnPasskey({ workspace, caller }: CrmContext, id: string) {
  return and(eq(passkeys.workspaceId, workspace.id), eq(passkeys.employeeId, caller.employee.id), eq(passkeys.id, id))
}

function noPasskey(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such passkey' })
}

async function ownerOfPasskey(context: CrmContext, credentialId: string): Promise<Person | undefined> {
  const passkey = await findPasskey(context.db, context, credentialId)
  return passkey && personOf(context, passkey)
}

function personOf({ db, workspace }: CrmContext, { employeeId }: Passkey): Promise<Person | undefined> {
  return readPerson(db, workspace.id, employeeId)
}

const challengesInTenMinutes = 120
const windows = new WeakMap<RedisConnection, FixedWindow>()

/** Returns how many challenges one address may ask for without a session. */
function challengesOf(redis: RedisConnection): FixedWindow {
  const known =
    windows.get(redis) ??
    createFixedWindow({ redis, name: 'passkey-challenges', points: challengesInTenMinutes, windowMs: 600_000 })
  windows.set(redis, known)
  return known
}
