import { invitations, success } from '@crm/contract'
import { brokenConstraint, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { newSecret } from '@crm/identity'
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
import { queueInvitationMail, sendInvitation } from '../../../domain/sign-in/invitation-mail.ts'
import { findPerson } from '../../../domain/sign-in/people.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { pageOf } from '../../../records/pages.ts'

const dayMs = 24 * 60 * 60 * 1_000
const resentADayMax = 5

export const implementedInvitations = implement(invitations, {
  list: async ({ query }, context) => pageOf(await listInvitations(context, query), query),

  get: async ({ params }, context) => success(await requireInvitation(context, params.id)),

  create: async ({ body }, context) => {
    const { invitation: made, mail } = await context.transact(async (tx) => {
      await requireReferences(tx, context, body)
      await requireRoles(tx, context, body.roleIds, 'roleIds')
      await requireNoAccount(tx, context, body.email)
      const invitation = await insertInvitation(tx, context, body, newSecret())
      if (!invitation) throw new ApiError('INVITATION_PENDING')
      await audit(tx, context, lineAbout('invitation.sent', 'Invited', invitation))
      return { invitation, mail: await queueInvitationMail(tx, context, invitation) }
    })
    return success({ ...made, emailSent: await sendInvitation(context, mail) })
  },

  resend: async ({ params }, context) => {
    const { renewed, mail } = await context.transact(async (tx) => {
      const invitation = await lockInvitation(tx, context, params.id)
      if (!invitation) throw notFound()
      if (invitation.status !== 'PENDING' && invitation.status !== 'EXPIRED')
        throw new ApiError('INVALID_TRANSITION', { message: 'The invitation is no longer open' })
      const resentAt = [...recentOf(invitation, context.at), context.at]
      requireResend(resentAt, context.at)
      await requireNoAccount(tx, context, invitation.email)
      const isRenewed = await withOnePending(() =>
        renewInvitation(tx, context, invitation, { token: newSecret(), resentAt }),
      )
      if (!isRenewed) throw new ApiError('INVITATION_PENDING')
      await audit(tx, context, lineAbout('invitation.resent', 'Sent again the invitation of', invitation))
      const renewed = await readInvitation(tx, context, params.id)
      if (!renewed) throw notFound()
      return { renewed, mail: await queueInvitationMail(tx, context, renewed) }
    })
    return success({ ...renewed, emailSent: await sendInvitation(context, mail) })
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
