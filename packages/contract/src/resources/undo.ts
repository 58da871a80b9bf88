import { z } from 'zod'
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
      'Of one record or of many. Within 10 minutes, by whoever made it, and within their rights of now. `undoId` is that of the answer, or the id of the background job. A record whose values were changed since keeps them and counts as failed. More than 500 records become a background job (202). The answer can be undone as well.',
    access: 'credential',
    params: z.object({ undoId: id }),
    reply: { ...data(200, bulkOutcome), ...queued },
    errors: ['INVALID_TRANSITION', 'ACCESS_DENIED'],
  },
})
