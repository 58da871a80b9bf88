import { z } from 'zod'
import { byId, id, instant } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'

export const passwordCharactersMin = 10
export const newPassword = z
  .string()
  .min(passwordCharactersMin, `A password has at least ${passwordCharactersMin} characters`)
  .max(200)

const user = z.object({
  id,
  email: z.string(),
  name: z.string(),
  roleIds: z.array(id),
  permissions: z.array(z.string()),
})

const session = z.object({
  id,
  createdAt: instant,
  lastUsedAt: instant,
  expiresAt: instant,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  isCurrent: z.boolean(),
})

export const sessions = settingsResource('auth', {
  login: {
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in and receive the session cookie',
    access: 'open',
    reach: 'none',
    body: z.strictObject({ email: z.string().max(255), password: z.string().max(200) }),
    reply: data(200, z.object({ user })),
    errors: ['AUTHENTICATION_ERROR', 'ACCOUNT_DISABLED', 'RATE_LIMITED'],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End this session',
    access: 'credential',
    reach: 'none',
    reply: data(200, z.object({ id })),
  },
  password: {
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change your password and end your other sessions',
    access: 'credential',
    reach: 'none',
    body: z.strictObject({ current: z.string().max(200), next: newPassword }),
    reply: data(200, z.object({ endedSessions: z.int() })),
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
