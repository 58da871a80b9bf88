import * as z from 'zod'
import { id } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'

const hoursMax = 24 * 365

const rules = {
  passwordMinLength: z.int().min(10).max(200),
  typedPasswords: z.boolean().meta({ description: 'Whether somebody who manages people may type passwords for them' }),
  invitationHours: z.int().min(1).max(hoursMax),
  sessionIdleHours: z.int().min(1).max(hoursMax).meta({ description: 'A session that is not used for so long ends' }),
  sessionAbsoluteHours: z.int().min(1).max(hoursMax).meta({ description: 'A session ends after so long in any case' }),
  reauthMinutes: z
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .meta({ description: 'For how long a sign-in counts as fresh' }),
  secondFactor: z.enum(['OPTIONAL', 'REQUIRED']),
  secondFactorRoleIds: z
    .array(id)
    .max(100)
    .meta({ description: 'Roles whose holders need a second factor even where it is optional' }),
  enforceSso: z.boolean(),
  breakGlassUserIds: z
    .array(id)
    .max(20)
    .meta({ description: 'People who may sign in with a password while SSO is enforced' }),
  keyMaxDays: z.int().min(1).max(36_500).nullable(),
  auditRetentionDays: z.int().min(30).max(36_500).nullable(),
}

const policy = z.object(rules)

/** A change of the rules for signing in. */
export const signInPolicyPatch = z.strictObject(rules).partial()
export type SignInPolicyPatch = z.output<typeof signInPolicyPatch>

const mayManage = { all: ['MANAGE_WORKSPACE'] } as const

export const signInPolicy = settingsResource('settings.signIn', {
  get: {
    method: 'GET',
    path: '/api/settings/sign-in',
    summary: 'Read the rules for signing in',
    access: mayManage,
    reach: 'none',
    reply: data(200, policy),
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/sign-in',
    summary: 'Change the rules for signing in',
    description: 'They hold for everybody, so only somebody who may do everything that others may changes them.',
    access: mayManage,
    reach: { actsAs: 'everybody' },
    fresh: true,
    body: signInPolicyPatch,
    reply: data(200, policy),
    errors: ['ACCESS_DENIED', 'BREAK_GLASS_REQUIRED'],
  },
})
