import * as z from 'zod'
import { bulkOutcome, queued } from '../bulk.ts'
import { id } from '../fields.ts'
import { resource } from '../resource.ts'
import { data } from '../standard.ts'

export const undo = resource('undo', null, {
  run: {
    method: 'POST',
    path: '/api/undo/{undoId}',
    summary: 'Undo a change or a deletion',
    description:
      'Of one record or many, within 10 minutes (a merge or a hand-over: 72 hours), by whoever made it. A record changed since keeps its values. More than 500 become a job (202).',
    access: 'credential',
    params: z.object({ undoId: id }),
    reply: { ...data(200, bulkOutcome), ...queued },
    errors: ['INVALID_TRANSITION', 'ACCESS_DENIED'],
  },
})
