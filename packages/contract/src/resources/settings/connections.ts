import * as z from 'zod'
import { id, instant } from '../../fields.ts'
import { pagedQuery, page, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'
import { controlInput, controlShown, usedShown } from '../proposals.ts'

const connection = z.object({
  clientId: id,
  name: z.string().meta({ description: 'What the client calls itself; nobody has verified it' }),
  scopes: z.array(z.string()),
  employeeId: id,
  employeeName: z.string(),
  connectedAt: instant,
  lastUsedAt: instant.nullable(),
  ...controlShown,
  ...usedShown,
})

/** Clients that people connected by OAuth: every person sees and ends their own; MANAGE_API_KEYS allows all of them. */
export const connections = settingsResource('settings.connections', {
  list: {
    method: 'GET',
    path: '/api/settings/connections',
    summary: 'List connected clients: your own, or with MANAGE_API_KEYS those of everybody',
    access: 'credential',
    reach: 'none',
    query: z.object({ ...pagedQuery(usualPages), employeeId: id.optional() }),
    reply: { status: 200, body: page(connection) },
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/connections/{clientId}',
    summary: 'Change what a connected client may do by itself, and how much',
    description: 'Your own connection with the client, or with MANAGE_API_KEYS that of the person named by employeeId.',
    access: 'credential',
    reach: { takes: 'connection' },
    params: z.object({ clientId: id }),
    query: z.object({ employeeId: id.optional() }),
    body: z.strictObject(controlInput),
    reply: data(200, connection),
    errors: ['ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/settings/connections/{clientId}',
    summary: 'End a connection; every token of it is dead at once',
    description: 'Your own connection with the client, or with MANAGE_API_KEYS that of the person named by employeeId.',
    access: 'credential',
    reach: { takes: 'connection' },
    params: z.object({ clientId: id }),
    query: z.object({ employeeId: id.optional() }),
    reply: deleted,
    errors: ['ACCESS_DENIED'],
  },
})
