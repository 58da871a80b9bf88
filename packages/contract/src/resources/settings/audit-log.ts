import * as z from 'zod'
import { id, instant } from '../../fields.ts'
import { bytes } from '../../handlers.ts'
import { pagedList, rangeParam, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { via } from '../../via.ts'

export const auditActorTypes = ['EMPLOYEE', 'SERVICE', 'SCIM', 'CLI', 'SYSTEM', 'ANONYMOUS'] as const
export const auditOutcomes = ['SUCCESS', 'FAILURE'] as const

const auditEntry = z.object({
  id,
  seq: z
    .int()
    .nullable()
    .meta({ description: 'Its place in the chain of the workspace, from 1; null for a moment after the action' }),
  at: instant,
  actorType: z.enum(auditActorTypes),
  actorId: id.nullable(),
  actorName: z.string(),
  action: z.string(),
  outcome: z.enum(auditOutcomes),
  subjectType: z.string(),
  subjectId: z.string().nullable(),
  summary: z.string(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  credential: z
    .object({ class: z.string(), id: z.string() })
    .nullable()
    .meta({ description: 'The session, key or connection that was used' }),
  via,
  requestId: z.string().nullable(),
  changes: z
    .array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() }))
    .meta({ description: 'What it was before and after' }),
  data: z.record(z.string(), z.unknown()),
  prevHash: z.string().nullable(),
  hash: z.string().nullable().meta({ description: 'docs/guide/audit-log.md says how it is computed' }),
})

const times = { from: rangeParam('from').optional(), to: rangeParam('to').optional() }

export const auditLog = settingsResource('settings.auditLog', {
  list: {
    method: 'GET',
    path: '/api/settings/audit-log',
    summary: 'List who did what, newest first',
    access: { all: ['VIEW_AUDIT_LOG'] },
    reach: 'none',
    ...pagedList(auditEntry, usualPages, {
      ...times,
      action: z.string().max(80).optional().meta({ description: 'An action, or all that begin alike, such as user.*' }),
      actorId: id.optional(),
      viaId: id.optional(),
      subjectType: z.string().max(60).optional(),
      subjectId: z.string().max(200).optional(),
      outcome: z.enum(auditOutcomes).optional(),
      address: z.string().max(60).optional(),
    }),
  },
  export: {
    method: 'GET',
    path: '/api/settings/audit-log/export',
    summary: 'Download entries in the order of the chain, one JSON document a line, with the signed head at the end',
    access: { all: ['VIEW_AUDIT_LOG', 'EXPORT_DATA'] },
    reach: 'none',
    fresh: true,
    query: z.object(times),
    reply: bytes('application/x-ndjson'),
  },
})
