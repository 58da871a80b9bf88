import * as z from 'zod'
import { byId, id, instant } from '../fields.ts'
import { resource } from '../resource.ts'
import { data } from '../standard.ts'

export const jobStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const

/** The most values that the work of an undo names. */
export const keptNamedMax = 1_000

const kept = z.object({
  entityType: z.string(),
  id,
  field: z.string().nullable(),
  mayGo: z.literal(true).optional().meta({
    description: 'A rehearsal of many records cannot tell: the undo takes it away where nothing else uses it',
  }),
})

/** What became of an undo of a session. */
const undoResult = z.object({
  undone: z.int().meta({ description: 'How many records, files and choices of lists are as before' }),
  kept: z.array(kept).meta({
    description:
      'Values that stay because somebody changed them afterwards or nothing takes them back; null: the record',
  }),
  more: z
    .int()
    .optional()
    .meta({ description: `How many there are beyond ${keptNamedMax}` }),
  hidden: z.int().optional().meta({ description: 'How many records stay that you may not see' }),
})
export type UndoResult = z.output<typeof undoResult>

const shownResult = undoResult.extend({ kept: z.array(kept.extend({ title: z.string().nullable() })) })

const job = z.object({
  id,
  kind: z.string(),
  state: z.enum(jobStates),
  total: z.int(),
  processed: z.int(),
  failed: z.int(),
  errors: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  result: shownResult.nullable().meta({ description: 'Of the undo of an agent session' }),
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
})

export const jobs = resource({ name: 'jobs', entity: 'JOB' }, null, {
  get: {
    method: 'GET',
    path: '/api/jobs/{id}',
    summary: 'Read the progress of a background job of your own',
    access: 'credential',
    params: byId,
    reply: data(200, job),
  },
})
