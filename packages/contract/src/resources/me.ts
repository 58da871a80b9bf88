import { z } from 'zod'
import { id, instant } from '../fields.ts'
import { resource } from '../resource.ts'

export const credentialClasses = ['session', 'api-key', 'oauth-token'] as const

const scopeDescription = z.object({ name: z.string(), group: z.string(), description: z.string(), write: z.boolean() })

const employee = z.object({
  id,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  name: z.string(),
  status: z.string(),
  roleIds: z.array(id),
  departmentId: id.nullable(),
  managerId: id.nullable(),
  timezone: z.string().nullable(),
  createdAt: instant,
  workspace: z.object({ id, name: z.string(), locale: z.string(), timezone: z.string(), currency: z.string() }),
})

export const me = resource('me', null, {
  get: {
    method: 'GET',
    path: '/api/me',
    summary: 'Read the person behind the credential, and their workspace',
    access: 'credential',
    reply: { status: 200, body: employee },
  },
  scopes: {
    method: 'GET',
    path: '/api/me/scopes',
    summary: 'Describe the calling credential and what it may do',
    access: 'credential',
    reply: {
      status: 200,
      body: z.object({
        class: z.enum(credentialClasses),
        credential: z.object({
          id,
          name: z.string(),
          prefix: z.string().optional(),
          createdAt: instant,
          expiresAt: instant.nullable(),
          lastUsedAt: instant.nullable(),
        }),
        owner: z.object({ id, name: z.string(), email: z.string(), status: z.string(), roleIds: z.array(id) }),
        restricted: z.boolean(),
        requested: z.array(z.string()).nullable(),
        owned: z.array(z.string()),
        effective: z.array(z.string()),
        missing: z.array(z.object({ scope: z.string(), reason: z.enum(['OWNER_LACKS', 'MODULE_DISABLED']) })),
        allScopes: z.array(scopeDescription),
      }),
    },
  },
})
