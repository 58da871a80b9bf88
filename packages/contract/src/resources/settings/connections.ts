import * as z from 'zod'
import { id, instant } from '../../fields.ts'
import { pagedQuery, page, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { deleted } from '../../standard.ts'

const connection = z.object({
  clientId: id,
  name: z.string().meta({ description: 'What the client calls itself; nobody has verified it' }),
  scopes: z.array(z.string()),
  employeeId: id,
  employeeName: z.string(),
  connectedAt: instant,
  lastUsedAt: instant.nullable(),
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
