import * as z from 'zod'
import { settingsResource } from '../../resource.ts'

/** The most reads that one batch carries. */
export const batchReadsMax = 20

/** The most bytes of answers that one batch carries. */
export const batchBytesMax = 2_097_152

/** Whether a path is one of this API as servers resolve it: `/api/../x` is not. */
function staysBelowApi(path: string): boolean {
  const root = 'http://workspace.invalid'
  return URL.canParse(path, root) && new URL(path, root).pathname.startsWith('/api/')
}

const read = z.strictObject({
  path: z
    .string()
    .max(4_096)
    .regex(/^\/api\/[\w./~%?&=:,;@!$'()*+-]*$/)
    .refine(staysBelowApi, 'Expected a path that stays below /api/')
    .meta({ description: 'A path of this API with its query, without an address' }),
})

const answer = z.object({
  status: z.int(),
  body: z.unknown().meta({ description: 'The answer to the read, as it would be alone' }),
})

/** Several reads in one request, for pages that show much at once (docs/guide/batch.md). */
export const batch = settingsResource('batch', {
  read: {
    method: 'POST',
    path: '/api/batch',
    summary: 'Send up to 20 reads in one request',
    description:
      'Each read is checked, limited and answered as if it came alone; the answers come in the order of the reads. Downloads and streams are refused with 400 inside the batch, and answers beyond 2 MiB in all with 503.',
    access: 'credential',
    reach: 'none',
    readOnly: true,
    body: z.strictObject({ reads: z.array(read).min(1).max(batchReadsMax) }),
    reply: { status: 200, body: z.object({ answers: z.array(answer) }) },
  },
})
