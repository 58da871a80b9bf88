import * as z from 'zod'
import { byId, id, instant, instantInput, requiredText } from '../../fields.ts'
import { booleanParam, pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'
import { controlInput, controlShown, usedShown } from '../proposals.ts'

const apiKey = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  ownerId: id,
  ownerName: z.string(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  lastUsedAddress: z.string().nullable(),
  revokedAt: instant.nullable(),
  allowedCidrs: z.array(z.string()),
  ...controlShown,
  ...usedShown,
})

const allowedCidrs = z
  .array(
    z
      .string()
      .trim()
      .max(50)
      .regex(/^[\da-fA-F:.]+(\/\d{1,3})?$/, 'Expected an address or a block of addresses such as 192.0.2.0/24'),
  )
  .max(50)
  .meta({ description: 'The only addresses from which the key works; none: from everywhere' })

const shownOnce = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: instant.nullable(),
  allowedCidrs: z.array(z.string()),
  key: z.string().meta({ description: 'The key; it is shown only in this answer' }),
})

const mayManage = { all: ['MANAGE_API_KEYS'] } as const

export const apiKeys = settingsResource('settings.apiKeys', {
  list: {
    method: 'GET',
    path: '/api/settings/api-keys',
    summary: 'List the API keys',
    access: mayManage,
    reach: 'none',
    ...pagedList(apiKey, usualPages, {
      search: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'Words of the name, of the owner or the first letters' }),
      isActive: booleanParam.optional().meta({ description: 'Whether it is neither revoked nor expired' }),
    }),
  },
  get: {
    method: 'GET',
    path: '/api/settings/api-keys/{id}',
    summary: 'Read an API key, without its text',
    access: mayManage,
    reach: 'none',
    params: byId,
    reply: data(200, apiKey),
  },
  create: {
    method: 'POST',
    path: '/api/settings/api-keys',
    summary: 'Create an API key; its text is shown once',
    access: mayManage,
    reach: { gives: 'api-key', takes: 'api-key' },
    fresh: true,
    body: z.strictObject({
      name: requiredText(100),
      scopes: z.array(requiredText(80)).max(500),
      expiresAt: instantInput.nullable().optional(),
      ownerId: id.optional().meta({
        description: 'Whose rights bound it: you, unless told; for programs best a service account',
      }),
      allowedCidrs: allowedCidrs.optional(),
      ...controlInput,
    }),
    reply: data(201, shownOnce),
    errors: ['ACCESS_DENIED'],
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/api-keys/{id}',
    summary: 'Change what an API key may do by itself, and how much',
    access: mayManage,
    reach: { takes: 'api-key' },
    params: byId,
    body: z.strictObject(controlInput),
    reply: data(200, apiKey),
    errors: ['ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/settings/api-keys/{id}',
    summary: 'Revoke an API key at once',
    access: mayManage,
    reach: { takes: 'api-key' },
    fresh: true,
    params: byId,
    reply: deleted,
  },
  rotate: {
    method: 'POST',
    path: '/api/settings/api-keys/{id}/rotate',
    summary: 'Replace an API key by a new one',
    access: mayManage,
    reach: { takes: 'api-key' },
    fresh: true,
    params: byId,
    body: z.strictObject({
      overlapHours: z
        .number()
        .min(0)
        .max(30 * 24)
        .default(0)
        .meta({
          description: 'For how long the old key works beside the new one; dead at once unless told',
        }),
    }),
    reply: data(201, shownOnce),
    errors: ['ACCESS_DENIED', 'INVALID_TRANSITION'],
  },
})
