import * as z from 'zod'
import { byId, email, id, instant, text } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'
import { newPassword, signInOutcome } from './sessions.ts'

export const invitationStatuses = ['PENDING', 'ACCEPTED', 'EXPIRED', 'CANCELLED'] as const

const invitation = z.object({
  id,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  roleIds: z.array(id),
  departmentId: id.nullable(),
  managerId: id.nullable(),
  invitedById: id,
  status: z.enum(invitationStatuses),
  emailSent: z.boolean().meta({ description: 'Whether the last mail with a link was handed over' }),
  createdAt: instant,
  expiresAt: instant,
})

/** The person to invite, and what they will be. */
const invitationInput = z.strictObject({
  email,
  roleIds: z.array(id).max(20),
  firstName: text(100).optional(),
  lastName: text(100).optional(),
  departmentId: id.nullable().optional(),
  managerId: id.nullable().optional(),
})
export type InvitationInput = z.output<typeof invitationInput>

const mayManage = { all: ['MANAGE_USERS'] } as const

export const invitations = settingsResource('settings.invitations', {
  list: {
    method: 'GET',
    path: '/api/settings/invitations',
    summary: 'List the invitations, newest first',
    access: mayManage,
    reach: 'none',
    ...pagedList(invitation, usualPages, { status: z.enum(invitationStatuses).optional() }),
  },
  get: {
    method: 'GET',
    path: '/api/settings/invitations/{id}',
    summary: 'Read an invitation',
    access: mayManage,
    reach: 'none',
    params: byId,
    reply: data(200, invitation),
  },
  create: {
    method: 'POST',
    path: '/api/settings/invitations',
    summary: 'Invite somebody by mail',
    description:
      'The account is made when they accept; until then nothing is, and you need the rights that you give still then.',
    access: mayManage,
    reach: { gives: 'invitation' },
    fresh: true,
    body: invitationInput,
    reply: data(201, invitation),
    errors: ['NAME_TAKEN', 'INVITATION_PENDING', 'ACCESS_DENIED'],
  },
  resend: {
    method: 'POST',
    path: '/api/settings/invitations/{id}/resend',
    summary: 'Send an invitation again with a new link; the old link is dead at once',
    description: 'At most 5 times a day. Who sends it again is its inviter from then on.',
    access: mayManage,
    reach: { gives: 'invitation' },
    params: byId,
    reply: data(200, invitation),
    errors: ['INVALID_TRANSITION', 'NAME_TAKEN', 'INVITATION_PENDING', 'RATE_LIMITED', 'ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/settings/invitations/{id}',
    summary: 'Cancel an invitation; its link is dead at once',
    access: mayManage,
    reach: 'none',
    params: byId,
    reply: deleted,
    errors: ['INVALID_TRANSITION'],
  },
})

const token = z.string().min(1).max(200)

/** The operations of people who have only a link. */
export const accountLinks = settingsResource('auth.links', {
  lookAtInvitation: {
    method: 'POST',
    path: '/api/auth/invitations/look',
    summary: 'Read what an invitation is for',
    access: 'open',
    reach: 'none',
    readOnly: true,
    body: z.strictObject({ token }),
    reply: data(
      200,
      z.object({ email: z.string(), workspaceName: z.string(), invitedByName: z.string(), expiresAt: instant }),
    ),
    errors: ['LINK_INVALID'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/auth/invitations/accept',
    summary: 'Accept an invitation with a password of your own, and sign in',
    access: 'open',
    reach: 'none',
    body: z.strictObject({
      token,
      password: newPassword,
      firstName: text(100).optional(),
      lastName: text(100).optional(),
    }),
    reply: data(200, signInOutcome),
    errors: ['LINK_INVALID', 'SSO_REQUIRED', 'RATE_LIMITED'],
  },
  requestReset: {
    method: 'POST',
    path: '/api/auth/reset/request',
    summary: 'Ask for a link to choose a new password',
    description:
      'The answer is the same whether there is such an account or not, and comes before anything is looked up.',
    access: 'open',
    reach: 'none',
    body: z.strictObject({ email: z.string().max(255) }),
    reply: data(202, z.object({})),
    errors: ['RATE_LIMITED'],
  },
  reset: {
    method: 'POST',
    path: '/api/auth/reset',
    summary: 'Choose a new password by a link, and sign in',
    description: 'Ends all sessions and links of the person.',
    access: 'open',
    reach: 'none',
    body: z.strictObject({
      token,
      password: newPassword,
      endConnections: z
        .boolean()
        .optional()
        .meta({ description: 'Whether the API keys and connected clients of the person end too; no unless told' }),
    }),
    reply: data(200, signInOutcome),
    errors: ['LINK_INVALID', 'ACCOUNT_DISABLED', 'SSO_REQUIRED', 'RATE_LIMITED'],
  },
})

/** What somebody who manages people does for the sign-in of others. */
export const userSignIn = settingsResource('settings.users.signIn', {
  sendReset: {
    method: 'POST',
    path: '/api/settings/users/{id}/send-reset',
    summary: 'Mail somebody a link to choose a new password',
    access: mayManage,
    reach: { actsAs: 'user' },
    params: byId,
    reply: data(202, z.object({ id })),
    errors: ['INVALID_TRANSITION', 'ACCESS_DENIED'],
  },
  resetSecondFactor: {
    method: 'POST',
    path: '/api/settings/users/{id}/reset-second-factor',
    summary: 'Remove the second factors of somebody else and end their sessions',
    access: mayManage,
    reach: { takes: 'user' },
    fresh: true,
    params: byId,
    reply: data(200, z.object({ id, endedSessions: z.int() })),
    errors: ['INVALID_TRANSITION', 'ACCESS_DENIED', 'BREAK_GLASS_REQUIRED'],
  },
})
