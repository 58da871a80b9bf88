import { emailKey } from '../../../records/contact-points.ts'
import { accountLinks, success, userSignIn } from '@crm/contract'
import { newId, schema, type Executor, type PeopleTransaction, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import { digest, fullName, hashPassword, readEmployeeCaller, type Caller } from '@crm/identity'
import { createFixedWindow, workspaceTag, type FixedWindow, type RedisConnection } from '@crm/redis'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { createAccount } from '../../../domain/people/people.accounts.ts'
import { endCredentials } from '../../../domain/people/people.credentials.ts'
import { lockUser, readUser } from '../../../domain/people/people.records.ts'
import { auditRefusal } from '../../../domain/sign-in/audit-refusal.ts'
import { queueAccountMail, queueResetMail } from '../../../domain/sign-in/account-mails.ts'
import { removeAllFactors } from '../../../domain/sign-in/change-factors.ts'
import { refuseUnderSso } from '../../../domain/sign-in/enforce-sso.ts'
import { completeSignIn } from '../../../domain/sign-in/complete-sign-in.ts'
import { findOpenInvitation, setInvitation, type Invitation } from '../../../domain/sign-in/invitations.repository.ts'
import { requireGoodPassword } from '../../../domain/sign-in/new-password.ts'
import { inTurn } from '../../../domain/sign-in/password-checks.ts'
import { replacePassword } from '../../../domain/sign-in/passwords.repository.ts'
import { readPerson, type Person } from '../../../domain/sign-in/people.repository.ts'
import { endSessions } from '../../../domain/sign-in/sessions.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { countClient } from '../../../platform/count-client.ts'
import { mayLetIn } from '../../../reach/judge-newcomer.ts'
import { audit, changingPeople, changingWorkspace } from '../../../records/audit.ts'

const { passwordResets } = schema

export const implementedAccountLinks = implement(accountLinks, {
  lookAtInvitation: async ({ body }, context) => {
    const invitation = await requireOpen(context.db, context, body.token)
    const inviter = await readInviter(context, invitation)
    const { email, expiresAt } = invitation
    return success({
      email,
      workspaceName: context.workspace.name,
      invitedByName: inviter.employee.name,
      expiresAt,
    })
  },

  acceptInvitation: async ({ body }, context) => {
    const { token, password, ...names } = body
    await refuseLinkUnderSso(context, async () => findOpenInvitation(context.db, context, token))
    const invitation = await requireOpen(context.db, context, token)
    const inviter = await readInviter(context, invitation)
    await requireGoodPassword(context, 'password', password, { ...invitation, ...names })
    const passwordHash = await inTurn(context, () => hashPassword(password))
    const id = newId()
    await changingPeople(context, (tx) => accept(tx, context, { token, inviter, id, passwordHash, names }))
    const person = await readPerson(context.db, context.workspace.id, id)
    if (!person) throw new ApiError('LINK_INVALID')
    return success(await completeSignIn(context, { person, method: 'INVITATION' }))
  },

  requestReset: async ({ body }, context) => {
    const { deps, workspace } = context
    const { address, account } = limitsOf(deps.redis)
    const { allowed, retryAfterS } = await countClient(context, address, 200)
    if (!allowed)
      throw new ApiError('RATE_LIMITED', { message: 'Too many links were asked for from here', retryAfterS })
    const email = body.email.trim()
    const key = `${workspaceTag(workspace.id)}:${digest(emailKey(email)).toString('base64url')}`
    if ((await account.consume(key)).allowed)
      await context.transact((tx) => queueResetMail(tx, context, { email, sentById: null }))
    return success({})
  },

  reset: async ({ body }, context) => {
    const { token, password, endConnections = false } = body
    await refuseLinkUnderSso(context, async () => findResettable(context, token))
    const owner = await requireResettable(context, token)
    await requireGoodPassword(context, 'password', password, owner)
    const passwordHash = await inTurn(context, () => hashPassword(password))
    await changingWorkspace(context, (tx) => reset(tx, context, { token, owner, passwordHash, endConnections }))
    return success(
      await completeSignIn(context, { person: { ...owner, passwordHash, deviceKey: null }, method: 'RESET' }),
    )
  },
})

export const implementedUserSignIn = implement(userSignIn, {
  sendReset: async ({ params }, context) => {
    const { caller } = context
    await context.transact(async (tx) => {
      const person = await readUser(tx, context, params.id)
      if (person.status !== 'ACTIVE' || person.kind === 'SERVICE')
        throw new ApiError('INVALID_TRANSITION', { message: 'This person cannot sign in at present' })
      await queueResetMail(tx, context, { employeeId: person.id, sentById: caller.employee.id })
    })
    return success({ id: params.id })
  },

  resetSecondFactor: async ({ params }, context) => {
    const { caller } = context
    if (params.id === caller.employee.id)
      throw new ApiError('INVALID_TRANSITION', { message: 'Nobody resets their own second factor' })
    const endedSessions = await changingPeople(context, async (tx) => {
      const person = await lockUser(tx, context, params.id)
      await removeAllFactors(tx, person)
      await audit(tx, context, {
        action: 'second-factor.reset',
        subjectType: 'EMPLOYEE',
        subjectId: person.id,
        summary: `Removed the second factors of ${fullName(person)}`,
      })
      await queueAccountMail(tx, context, { kind: 'second-factor-reset', employeeId: person.id })
      return endSessions(tx, context, { employeeId: person.id })
    })
    return success({ id: params.id, endedSessions })
  },
})

/** Refuses links alike while the identity provider is enforced; who has a good one is written down. */
async function refuseLinkUnderSso(
  context: CrmContext,
  find: () => Promise<Invitation | Person | undefined>,
): Promise<void> {
  if (!context.workspace.signInPolicy.enforceSso) return
  const found = await find()
  if (found) await auditRefusal(context, found.email, 'passwordHash' in found ? found : undefined, 'SSO')
  refuseUnderSso(context)
}

/** Requires an open invitation whose inviter may still let this person in; every other link is refused alike. */
async function requireOpen(
  db: Executor,
  context: CrmContext,
  token: string,
  { locks = false } = {},
): Promise<Invitation> {
  const invitation = await findOpenInvitation(db, context, token, { locks })
  if (!invitation || !(await mayLetIn(db, context.workspace.id, invitation.invitedById, invitation)))
    throw new ApiError('LINK_INVALID')
  return invitation
}

async function readInviter({ deps, workspace }: CrmContext, { invitedById }: Invitation): Promise<Caller> {
  const inviter = await readEmployeeCaller(deps.pool, workspace.id, invitedById)
  if (!inviter) throw new ApiError('LINK_INVALID')
  return inviter
}

interface Acceptance {
  readonly token: string
  readonly inviter: Caller
  readonly id: string
  readonly passwordHash: string
  readonly names: { readonly firstName?: string | null; readonly lastName?: string | null }
}

/** Makes the account of an invitation, as its inviter. */
async function accept(
  tx: PeopleTransaction,
  context: CrmContext,
  { token, inviter, id, passwordHash, names }: Acceptance,
): Promise<void> {
  // Nobody loses rights between the judgement and the account: such changes wait for this one.
  const invitation = await requireOpen(tx, context, token, { locks: true })
  if (invitation.invitedById !== inviter.employee.id) throw new ApiError('LINK_INVALID')
  const { email, firstName, lastName, departmentId, managerId, roleIds } = invitation
  const { id: inviterId, name } = inviter.employee
  const asInviter: CrmContext = {
    ...context,
    caller: inviter,
    actor: { type: 'EMPLOYEE', id: inviterId, name, source: 'UI' },
  }
  const account = { id, email, firstName, lastName, ...names, departmentId, managerId, roleIds, passwordHash }
  try {
    await createAccount(tx, asInviter, account)
  } catch (error) {
    // The address was taken, or a role or the department was deleted meanwhile.
    throw isRefusal(error) ? new ApiError('LINK_INVALID') : error
  }
  await setInvitation(tx, context, invitation.id, { status: 'ACCEPTED', employeeId: id })
  const actor = { type: 'EMPLOYEE' as const, id, name: fullName({ email, ...named(account) }) }
  await audit(
    tx,
    { ...context, actor },
    {
      action: 'invitation.accepted',
      subjectType: 'INVITATION',
      subjectId: invitation.id,
      summary: `${actor.name} accepted the invitation`,
    },
  )
}

function named({ firstName = null, lastName = null }: Acceptance['names']) {
  return { firstName, lastName }
}

const hourMs = 3_600_000
const limits = new WeakMap<RedisConnection, Readonly<Record<'address' | 'account', FixedWindow>>>()

/** Returns how many links may be asked for in an hour, from one address and for one account; the mails have a limit of their own. */
function limitsOf(redis: RedisConnection): Readonly<Record<'address' | 'account', FixedWindow>> {
  const windowOf = (name: string): FixedWindow => createFixedWindow({ redis, name, points: 20, windowMs: hourMs })
  const known = limits.get(redis) ?? { address: windowOf('resets-of-address'), account: windowOf('resets-of-account') }
  limits.set(redis, known)
  return known
}

/** Requires the link of a reset that has neither been used nor ended, of somebody who may sign in. */
async function requireResettable(context: CrmContext, token: string): Promise<Person> {
  const person = await findResettable(context, token)
  if (!person) throw new ApiError('LINK_INVALID')
  return person
}

async function findResettable(context: CrmContext, token: string): Promise<Person | undefined> {
  const { db, workspace, at } = context
  const [row] = await db
    .select()
    .from(passwordResets)
    .where(and(isOpenReset(context, token), gt(passwordResets.expiresAt, at)))
  const person = row && (await readPerson(db, workspace.id, row.employeeId))
  return person?.status === 'ACTIVE' ? person : undefined
}

function isOpenReset({ workspace }: CrmContext, token: string) {
  return and(
    eq(passwordResets.workspaceId, workspace.id),
    eq(passwordResets.tokenHash, digest(token)),
    isNull(passwordResets.endedAt),
  )
}

interface Reset {
  readonly token: string
  readonly owner: Person
  readonly passwordHash: string
  readonly endConnections: boolean
}

async function reset(
  tx: Transaction,
  context: CrmContext,
  { token, owner, passwordHash, endConnections }: Reset,
): Promise<void> {
  const { rowCount } = await tx.update(passwordResets).set({ endedAt: context.at }).where(isOpenReset(context, token))
  if (rowCount !== 1) throw new ApiError('LINK_INVALID')
  const actor = { type: 'EMPLOYEE' as const, id: owner.id, name: fullName(owner), source: 'UI' as const }
  const asOwner: CrmContext = { ...context, actor }
  await replacePassword(tx, asOwner, owner.id, passwordHash)
  const endedSessions = await endSessions(tx, context, { employeeId: owner.id })
  const ended = endConnections ? await endCredentials(tx, context, owner.id) : {}
  await audit(tx, asOwner, {
    action: 'password.reset',
    subjectType: 'EMPLOYEE',
    subjectId: owner.id,
    summary: `${actor.name} chose a new password by a link`,
    data: { endedSessions, ...ended },
  })
}
