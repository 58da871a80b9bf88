import { z } from 'zod'
import { byId, id, instant, instantInput, requiredText } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'

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
  revokedAt: instant.nullable(),
})

const shownOnce = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: instant.nullable(),
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
    ...pagedList(apiKey, usualPages, {}),
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
    summary: 'Create an API key of your own; its text is shown once',
    access: mayManage,
    reach: { gives: 'api-key' },
    fresh: true,
    body: z.strictObject({
      name: requiredText(100),
      scopes: z.array(requiredText(80)).max(500),
      expiresAt: instantInput.nullable().optional(),
    }),
    reply: data(201, shownOnce),
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
    summary: 'Replace an API key by a new one; the old one is dead at once',
    access: mayManage,
    reach: { takes: 'api-key' },
    fresh: true,
    params: byId,
    reply: data(201, shownOnce),
    errors: ['ACCESS_DENIED', 'INVALID_TRANSITION'],
  },
})
