import * as z from 'zod'
import { byId, id, instant } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'
import { passkeyResponse } from './passkey-response.ts'

/** A new password; the rules of the workspace say what is refused. */
export const newPassword = z.string().max(200).meta({
  description:
    'At least 10 characters, or more if the workspace says so; easily guessed, breached and one’s own name are refused with TOO_SHORT, TOO_COMMON, BREACHED, CONTAINS_IDENTITY',
})

/** A person who has signed in. */
export const user = z.object({
  id,
  email: z.string(),
  name: z.string(),
  roleIds: z.array(id),
  permissions: z.array(z.string()),
})

/** The ways of showing a second factor. */
export const secondFactorMethods = ['TOTP', 'PASSKEY', 'RECOVERY_CODE'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

/** The outcome of a sign-in: done with a session, or the next step with a sign-in that waits for it. */
export const signInOutcome = z.union([
  z.object({ step: z.literal('DONE'), user }),
  z.object({
    step: z.enum(['SECOND_FACTOR', 'ENROL']),
    methods: z.array(z.enum(secondFactorMethods)).meta({ description: 'The methods that the person can use, or add' }),
  }),
])
export type SignInOutcome = z.output<typeof signInOutcome>

const session = z.object({
  id,
  createdAt: instant,
  lastUsedAt: instant,
  expiresAt: instant.meta({ description: 'When it ends unless it is used' }),
  endsAt: instant.meta({ description: 'When it ends in any case' }),
  method: z
    .enum(['PASSWORD', 'PASSKEY', 'SSO', 'INVITATION', 'RESET'])
    .meta({ description: 'How the person signed in' }),
  secondFactor: z.boolean().meta({ description: 'Whether a second factor was shown' }),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  isCurrent: z.boolean(),
})

/** A proof of who somebody is: their password, a code, or a passkey. */
const proof = z
  .strictObject({
    password: z.string().max(200).optional(),
    method: z.enum(['TOTP', 'RECOVERY_CODE']).optional(),
    code: z.string().max(40).optional(),
    response: passkeyResponse.optional(),
  })
  .superRefine(({ password, method, code, response }, context) => {
    const shown = [password, code, response].filter((one) => one !== undefined).length
    if (shown !== 1) context.addIssue({ code: 'custom', path: [], message: 'Exactly one of password, code, response' })
    if ((code === undefined) !== (method === undefined))
      context.addIssue({ code: 'custom', path: ['method'], message: 'A code comes with its method' })
  })
export type Proof = z.output<typeof proof>

const ended = data(200, z.object({ endedSessions: z.int() }))

export const sessions = settingsResource('auth', {
  login: {
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in and receive the session cookie, or learn the next step',
    access: 'open',
    reach: 'none',
    body: z.strictObject({ email: z.string().max(255), password: z.string().max(200) }),
    reply: data(200, signInOutcome),
    errors: ['AUTHENTICATION_ERROR', 'ACCOUNT_DISABLED', 'SSO_REQUIRED', 'RATE_LIMITED'],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End this session',
    access: 'credential',
    evenDisabled: true,
    reach: 'none',
    reply: data(
      200,
      z.object({
        id,
        redirectTo: z.string().nullable().meta({ description: 'Where the provider is signed out of too' }),
      }),
    ),
  },
  reauthenticate: {
    method: 'POST',
    path: '/api/auth/reauthenticate',
    summary: 'Prove who you are once more, which makes this session fresh',
    description: 'The session gets a new cookie; the old one is dead at once.',
    access: 'credential',
    reach: 'none',
    body: proof,
    reply: data(200, z.object({ id, freshUntil: instant })),
    errors: ['AUTHENTICATION_ERROR', 'SECOND_FACTOR_INVALID', 'RATE_LIMITED'],
  },
  password: {
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change your password and end your other sessions',
    access: 'credential',
    reach: 'none',
    body: z.strictObject({ current: z.string().max(200), next: newPassword }),
    reply: ended,
    errors: ['AUTHENTICATION_ERROR', 'RATE_LIMITED'],
  },
  list: {
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List your sessions',
    access: 'credential',
    reach: 'none',
    reply: { status: 200, body: z.object({ data: z.array(session) }) },
  },
  deleteOthers: {
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all your sessions but this one',
    access: 'credential',
    reach: 'none',
    reply: ended,
  },
  delete: {
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'End one of your sessions',
    access: 'credential',
    reach: 'none',
    params: byId,
    reply: deleted,
  },
})

const mayManageUsers = { all: ['MANAGE_USERS'] } as const

/** The sessions of other people. */
export const userSessions = settingsResource('settings.users.sessions', {
  list: {
    method: 'GET',
    path: '/api/settings/users/{id}/sessions',
    summary: 'List the sessions of a user',
    access: mayManageUsers,
    reach: { actsAs: 'user' },
    params: byId,
    reply: { status: 200, body: z.object({ data: z.array(session) }) },
    errors: ['ACCESS_DENIED'],
  },
  deleteAll: {
    method: 'DELETE',
    path: '/api/settings/users/{id}/sessions',
    summary: 'End all sessions of a user',
    access: mayManageUsers,
    reach: { takes: 'user' },
    params: byId,
    reply: ended,
    errors: ['ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/settings/users/{id}/sessions/{sessionId}',
    summary: 'End one session of a user',
    access: mayManageUsers,
    reach: { takes: 'user' },
    params: z.object({ id, sessionId: id }),
    reply: deleted,
    errors: ['ACCESS_DENIED'],
  },
})
