import * as z from 'zod'
import { id } from '../fields.ts'
import { resource } from '../resource.ts'
import { data } from '../standard.ts'

/** The most changes that a preview lists. */
export const previewedChangesMax = 200

/** What happens to one record: its fields by name, each with the value before and the one after. */
export const recordChange = z.object({
  entityType: z.string(),
  id,
  title: z.string().nullable(),
  kind: z.enum(['CREATE', 'UPDATE', 'DELETE']),
  fields: z
    .record(z.string(), z.array(z.unknown()))
    .meta({ description: 'By name: the value before, the value after' }),
})
export type RecordChange = z.output<typeof recordChange>

/** The changes of a request, as far as its caller may see them. */
export const changesOfRequest = {
  changes: z.array(recordChange),
  more: z
    .int()
    .optional()
    .meta({ description: `How many there are beyond ${previewedChangesMax}` }),
  hidden: z.int().optional().meta({ description: 'How many records change that you may not see' }),
}

const leave = z.object({
  kind: z.enum(['MAIL', 'DELIVERY', 'RUN', 'JOB']),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Of the rule, the workflow or the work; null if you may not see it' }),
  to: z.array(z.string()).meta({ description: 'Who would get the mail, or the host that would be called' }),
})
export type Leave = z.output<typeof leave>

const named = z.record(z.string(), z.unknown()).optional()

/** A request as it would be sent, by the name of its operation. */
const namedRequest = {
  operation: z.string().max(100).meta({ description: 'leads.delete' }),
  params: named.meta({ description: 'Such as id' }),
  query: named,
  body: named,
}

/** What a change would do, without doing it (docs/guide/agents.md). */
export const preview = resource('preview', null, {
  run: {
    method: 'POST',
    path: '/api/preview',
    summary: 'Show what a change would do',
    description: 'Its answer, the changes, and what would leave: mails, deliveries, runs.',
    access: 'credential',
    readOnly: true,
    toolName: 'preview',
    body: z.strictObject(namedRequest),
    reply: data(
      200,
      z.object({
        status: z.int(),
        body: z.unknown(),
        ...changesOfRequest,
        leaves: z.array(leave),
      }),
    ),
    errors: ['NOT_PREVIEWABLE'],
  },
})
