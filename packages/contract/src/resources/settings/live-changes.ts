import * as z from 'zod'
import { entityTypeNames, id } from '../../fields.ts'
import { bytes } from '../../handlers.ts'
import { settingsResource } from '../../resource.ts'

/** The most ids that one event names; of more it names none. */
export const liveIdsMax = 100

/** The open streams of one person, and of all people, in one process. */
export const liveStreamsMax = { perPerson: 5, perProcess: 500 } as const

/** The data of an event: records of one kind that appeared, changed, or left the sight of the person. */
export const liveChange = z.object({
  entityType: z.string(),
  action: z.enum(['CREATED', 'UPDATED', 'DELETED']),
  ids: z
    .array(id)
    .nullable()
    .meta({ description: `null: more than ${liveIdsMax} records` }),
})
export type LiveChange = z.output<typeof liveChange>

/** Changes of records as they happen, for the sessions of browsers (docs/guide/live-changes.md). */
export const liveChanges = settingsResource('liveChanges', {
  stream: {
    method: 'GET',
    path: '/api/events/stream',
    summary: 'Follow changes of the records that you may see',
    description:
      'A stream of server-sent events. `change`: records of one kind were created, updated or deleted, or left your sight. `inbox`: you have a new notification. `reset`: changes were missed. `end`: the session or its rights ended.',
    access: 'credential',
    reach: 'none',
    queryPolicy: 'strict',
    query: z.object({ types: entityTypeNames.optional() }),
    reply: bytes('text/event-stream'),
    errors: ['INVALID_QUERY_PARAM', 'RATE_LIMITED'],
  },
})
