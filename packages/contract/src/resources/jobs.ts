import * as z from 'zod'
import { byId, id, instant } from '../fields.ts'
import { resource } from '../resource.ts'
import { data } from '../standard.ts'

export const jobStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const

const job = z.object({
  id,
  kind: z.string(),
  state: z.enum(jobStates),
  total: z.int(),
  processed: z.int(),
  failed: z.int(),
  errors: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
})

export const jobs = resource('jobs', null, {
  get: {
    method: 'GET',
    path: '/api/jobs/{id}',
    summary: 'Read the progress of a background job of your own',
    access: 'credential',
    params: byId,
    reply: data(200, job),
  },
})
