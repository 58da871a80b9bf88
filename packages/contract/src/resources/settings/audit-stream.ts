import * as z from 'zod'
import { instant, text } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'

const auditStream = z.object({
  url: z.string().nullable(),
  headerName: z.string().nullable(),
  hasHeaderValue: z.boolean().meta({ description: 'The value is never shown again' }),
  isActive: z.boolean(),
  sentSeq: z.int().meta({ description: 'The newest entry that the receiver has taken' }),
  problem: z.string().nullable().meta({ description: 'Why the last try failed' }),
  nextAt: instant.nullable(),
})

export const auditStreamPatch = z.strictObject({
  url: z.string().trim().min(1).max(2_048).optional(),
  headerName: text(100).optional(),
  headerValue: z.string().max(4_000).nullable().optional(),
  isActive: z.boolean().optional(),
})

const access = { all: ['MANAGE_WORKSPACE'] } as const
const path = '/api/settings/audit-stream'

export const auditStreams = settingsResource('settings.auditStream', {
  get: {
    method: 'GET',
    path,
    summary: 'Read where the audit log is sent',
    access,
    reach: 'none',
    reply: data(200, auditStream),
  },
  update: {
    method: 'PATCH',
    path,
    summary: 'Have the audit log sent to a program, in order, each entry at least once',
    access,
    reach: { actsAs: 'everybody' },
    fresh: true,
    body: auditStreamPatch,
    reply: data(200, auditStream),
    errors: ['ACCESS_DENIED'],
  },
})
