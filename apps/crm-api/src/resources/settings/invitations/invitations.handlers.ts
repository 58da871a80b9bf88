import { invitations, success } from '@crm/contract'
import { brokenConstraint, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { newSecret } from '@crm/identity'
import { writeAccountMail } from '@crm/mail'
import { requireReferences } from '../../../domain/people/people.accounts.ts'
import { requireRoles } from '../../../domain/people/people.roles.ts'
import {
  insertInvitation,
  listInvitations,
  lockInvitation,
  readInvitation,
  renewInvitation,
  setInvitation,
  type Invitation,
} from '../../../domain/sign-in/invitations.repository.ts'
import { findPerson, readPerson } from '../../../domain/sign-in/people.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { pageOf } from '../../../records/pages.ts'

const dayMs = 24 * 60 * 60 * 1_000
const resentADayMax = 5

export const implementedInvitations = implement(invitations, {
  list: async ({ query }, context) => pageOf(await listInvitations(context, query), query),

  get: async ({ params }, context) => success(await requireInvitation(context, params.id)),

  create: async ({ body }, context) => {
    const token = newSecret()
    const made = await context.transact(async (tx) => {
      await requireReferences(tx, context, body)
      await requireRoles(tx, context, body.roleIds, 'roleIds')
      await requireNoAccount(tx, context, body.email)
      const invitation = await insertInvitation(tx, context, body, token)
      if (!invitation) throw new ApiError('INVITATION_PENDING')
      await audit(tx, context, lineAbout('invitation.sent', 'Invited', invitation))
      return invitation
    })
    return success({ ...made, emailSent: await send(context, made, token) })
  },

  resend: async ({ params }, context) => {
    const token = newSecret()
    const renewed = await context.transact(async (tx) => {
      const invitation = await lockInvitation(tx, context, params.id)
      if (!invitation) throw notFound()
      if (invitation.status !== 'PENDING' && invitation.status !== 'EXPIRED')
        throw new ApiError('INVALID_TRANSITION', { message: 'The invitation is no longer open' })
      const resentAt = [...recentOf(invitation, context.at), context.at]
      requireResend(resentAt, context.at)
      await requireNoAccount(tx, context, invitation.email)
      const isRenewed = await withOnePending(() => renewInvitation(tx, context, invitation, { token, resentAt }))
      if (!isRenewed) throw new ApiError('INVITATION_PENDING')
      await audit(tx, context, lineAbout('invitation.resent', 'Sent again the invitation of', invitation))
      return readInvitation(tx, context, params.id)
    })
    if (!renewed) throw notFound()
    return success({ ...renewed, emailSent: await send(context, renewed, token) })
  },

  delete: async ({ params }, context) => {
    await context.transact(async (tx) => {
      const invitation = await lockInvitation(tx, context, params.id)
      if (!invitation) throw notFound()
      if (invitation.status === 'ACCEPTED')
        throw new ApiError('INVALID_TRANSITION', { message: 'The invitation is accepted already' })
      await setInvitation(tx, context, params.id, { status: 'CANCELLED' })
      await audit(tx, context, lineAbout('invitation.cancelled', 'Cancelled the invitation of', invitation))
    })
    return success({ id: params.id })
  },
})

function lineAbout(action: string, deed: string, { id, email, roleIds }: Invitation) {
  return {
    action,
    subjectType: 'INVITATION',
    subjectId: id,
    summary: `${deed} ${email}`,
    data: { roleIds },
  }
}

/** Refuses an address that somebody has by now: their link would be dead. */
async function requireNoAccount(tx: Transaction, { workspace }: CrmContext, email: string): Promise<void> {
  if (await findPerson(tx, workspace.id, email))
    throw new ApiError('NAME_TAKEN', { message: 'This person has an account', details: { field: 'email' } })
}

/** Returns false for a renewal whose address got another pending invitation at the same moment. */
async function withOnePending(renew: () => Promise<boolean>): Promise<boolean> {
  try {
    return await renew()
  } catch (error) {
    if (brokenConstraint(error) === 'invitations_pending') return false
    throw error
  }
}

async function requireInvitation(context: CrmContext, id: string): Promise<Invitation> {
  const invitation = await readInvitation(context.db, context, id)
  if (!invitation) throw notFound()
  return invitation
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such invitation' })
}

function recentOf({ resentAt }: Invitation, at: string): string[] {
  return resentAt.map((time) => new Date(time).toISOString()).filter((time) => isOfTheDay(time, at))
}

const isOfTheDay = (time: string, at: string): boolean => Date.parse(at) - Date.parse(time) < dayMs

function requireResend(resentAt: readonly string[], at: string): void {
  if (resentAt.length <= resentADayMax) return
  throw new ApiError('RATE_LIMITED', {
    message: 'This invitation was sent too often today',
    retryAfterS: Math.ceil((Date.parse(resentAt[0] as string) + dayMs - Date.parse(at)) / 1_000),
  })
}

/** Sends the link, after the invitation is stored, and returns whether the mail was handed over. */
async function send(context: CrmContext, invitation: Invitation, token: string): Promise<boolean> {
  const { deps, workspace, caller, db } = context
  if (!deps.mailer) return false
  const inviter = await readPerson(db, workspace.id, caller.employee.id)
  try {
    await deps.mailer.send(
      writeAccountMail({
        kind: 'invitation',
        to: { address: invitation.email },
        reader: { locale: inviter?.locale ?? null },
        workspace,
        person: caller.employee.name,
        link: { url: `${workspace.baseUrl}/invite#${token}`, expiresAt: invitation.expiresAt },
      }),
    )
  } catch (error) {
    deps.logger.warn({ err: error, workspaceId: workspace.id }, 'an invitation could not be mailed')
    return false
  }
  await setInvitation(db, context, invitation.id, { emailSent: true })
  return true
}
