import * as z from 'zod'
import { byId, id, instant, requiredText } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'
import { passkeyResponse } from './passkey-response.ts'
import { secondFactorMethods, signInOutcome, user } from './sessions.ts'

const passkey = z.object({ id, name: z.string(), createdAt: instant, lastUsedAt: instant.nullable() })

/** Options for `navigator.credentials`, as the browser takes them in JSON. */
const browserOptions = z.record(z.string(), z.unknown())

const recoveryCodes = z.array(z.string()).meta({ description: 'Shown only in this answer; each signs in once' })

/** The session that a first second factor gives to a sign-in that needs one. */
const enrolled = { step: z.literal('DONE').optional(), user: user.optional() }

const code = z.string().max(40)

/** A second factor: a code, or the answer of a passkey. */
export const shownFactor = z
  .strictObject({
    method: z.enum(secondFactorMethods),
    code: code.optional(),
    response: passkeyResponse.optional(),
  })
  .superRefine((body, context) => {
    const needed = body.method === 'PASSKEY' ? 'response' : 'code'
    if (body[needed] === undefined) context.addIssue({ code: 'custom', path: [needed], message: 'This is missing' })
  })
export type ShownFactor = z.output<typeof shownFactor>

export const secondFactors = settingsResource('auth.factors', {
  list: {
    method: 'GET',
    path: '/api/auth/factors',
    summary: 'Read your second factors',
    access: 'signing-in',
    reach: 'none',
    reply: data(
      200,
      z.object({
        totp: z.object({ confirmedAt: instant }).nullable(),
        passkeys: z.array(passkey),
        recoveryCodesLeft: z.int(),
      }),
    ),
    errors: ['SIGN_IN_EXPIRED'],
  },
  addTotp: {
    method: 'POST',
    path: '/api/auth/totp',
    summary: 'Get the secret for an authenticator app; it counts once a code confirms it',
    access: 'signing-in',
    reach: 'none',
    fresh: true,
    reply: data(200, z.object({ secret: z.string(), uri: z.string() })),
    errors: ['SIGN_IN_EXPIRED'],
  },
  confirmTotp: {
    method: 'POST',
    path: '/api/auth/totp/confirm',
    summary: 'Confirm the authenticator app with a code, and receive recovery codes',
    access: 'signing-in',
    reach: 'none',
    body: z.strictObject({ code }),
    reply: data(200, z.object({ recoveryCodes, ...enrolled })),
    errors: ['SECOND_FACTOR_INVALID', 'SIGN_IN_EXPIRED', 'RATE_LIMITED', 'ACCOUNT_DISABLED', 'SSO_REQUIRED'],
  },
  removeTotp: {
    method: 'DELETE',
    path: '/api/auth/totp',
    summary: 'Remove your authenticator app',
    access: 'credential',
    reach: 'none',
    fresh: true,
    reply: data(200, z.object({})),
    errors: ['SECOND_FACTOR_REQUIRED', 'BREAK_GLASS_REQUIRED'],
  },
  makeRecoveryCodes: {
    method: 'POST',
    path: '/api/auth/recovery-codes',
    summary: 'Make new recovery codes; the old ones are dead',
    access: 'credential',
    reach: 'none',
    fresh: true,
    reply: data(200, z.object({ recoveryCodes })),
    errors: ['INVALID_TRANSITION'],
  },
  passkeyOptions: {
    method: 'POST',
    path: '/api/auth/passkeys/options',
    summary: 'Get the options with which a browser makes a passkey',
    access: 'signing-in',
    reach: 'none',
    fresh: true,
    reply: data(200, browserOptions),
    errors: ['SIGN_IN_EXPIRED'],
  },
  addPasskey: {
    method: 'POST',
    path: '/api/auth/passkeys',
    summary: 'Add a passkey',
    access: 'signing-in',
    reach: 'none',
    fresh: true,
    body: z.strictObject({ name: requiredText(100), response: passkeyResponse }),
    reply: data(201, passkey.extend(enrolled)),
    errors: ['SECOND_FACTOR_INVALID', 'SIGN_IN_EXPIRED', 'ACCOUNT_DISABLED', 'SSO_REQUIRED'],
  },
  renamePasskey: {
    method: 'PATCH',
    path: '/api/auth/passkeys/{id}',
    summary: 'Rename a passkey',
    access: 'credential',
    reach: 'none',
    params: byId,
    body: z.strictObject({ name: requiredText(100) }),
    reply: data(200, passkey),
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/auth/passkeys/{id}',
    summary: 'Remove a passkey',
    access: 'credential',
    reach: 'none',
    fresh: true,
    params: byId,
    reply: deleted,
    errors: ['SECOND_FACTOR_REQUIRED', 'BREAK_GLASS_REQUIRED'],
  },
  passkeySignInOptions: {
    method: 'POST',
    path: '/api/auth/passkey/options',
    summary: 'Get the options with which a browser signs in by a passkey alone',
    access: 'open',
    reach: 'none',
    reply: data(200, browserOptions),
    errors: ['RATE_LIMITED'],
  },
  passkeySignIn: {
    method: 'POST',
    path: '/api/auth/passkey',
    summary: 'Sign in by a passkey alone',
    description: 'The passkey verifies the person, so it counts as both steps.',
    access: 'open',
    reach: 'none',
    body: z.strictObject({ response: passkeyResponse }),
    reply: data(200, signInOutcome),
    errors: ['AUTHENTICATION_ERROR', 'ACCOUNT_DISABLED', 'SSO_REQUIRED'],
  },
  secondFactorOptions: {
    method: 'POST',
    path: '/api/auth/second-factor/options',
    summary: 'Get the options with which a browser shows a passkey as second factor, or to reauthenticate',
    access: 'signing-in',
    reach: 'none',
    reply: data(200, browserOptions),
    errors: ['SIGN_IN_EXPIRED'],
  },
  secondFactor: {
    method: 'POST',
    path: '/api/auth/second-factor',
    summary: 'Show the second factor that a sign-in waits for',
    access: 'signing-in',
    reach: 'none',
    body: shownFactor,
    reply: data(200, signInOutcome),
    errors: ['SECOND_FACTOR_INVALID', 'SIGN_IN_EXPIRED', 'RATE_LIMITED', 'ACCOUNT_DISABLED', 'SSO_REQUIRED'],
  },
})
