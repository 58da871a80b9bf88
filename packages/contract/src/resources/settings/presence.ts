import * as z from 'zod'
import { id, recordParams } from '../../fields.ts'
import { data } from '../../standard.ts'
import { settingsResource } from '../../resource.ts'

/** The most people that are known to look at a record; a further one is not shown to the others. */
export const presenceMax = 50

/** A person counts as looking at a record for this time after they said so. */
export const presenceKeptMs = 40_000

const usual = {
  path: '/api/me/presence/{entityType}/{id}',
  access: 'credential',
  reach: 'none',
  params: recordParams,
  errors: ['NOT_FOUND'],
} as const

/** Who looks at a record at this moment (docs/guide/records.md). */
export const presence = settingsResource('presence', {
  tell: {
    ...usual,
    method: 'PUT',
    summary: 'Say that you look at a record, and learn who else does',
    description: `Say it again every 20 seconds: after ${presenceKeptMs / 1_000} seconds you count as gone.`,
    reply: data(200, z.object({ others: z.array(z.object({ id, name: z.string() })) })),
  },
  leave: {
    ...usual,
    method: 'DELETE',
    summary: 'Say that you look at a record no longer',
    reply: data(200, z.object({ left: z.literal(true) })),
  },
})
