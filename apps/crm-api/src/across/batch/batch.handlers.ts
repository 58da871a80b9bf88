import { batch, batchBytesMax } from '@crm/contract'
import { ApiError, toApiAnswer } from '@crm/errors'
import type { FastifyInstance } from 'fastify'
import { implement, type CrmContext } from '../../platform/context.ts'

/** The reads of one batch that are worked on at once; each takes a place of its workspace (docs/guide/limits.md). */
const atOnce = 4

/** The headers of the batch itself; all others say who asks, and from where, and hold for its reads too. */
const ofTheBatch = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'if-none-match',
  'transfer-encoding',
])

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Returns the handlers for batches, whose reads go through the whole pipeline of the service. */
export function implementBatch(app: FastifyInstance) {
  return implement(batch, {
    read: async ({ body: { reads } }, context) => {
      const answers: Answer[] = []
      const budget = { bytes: batchBytesMax }
      const queue = reads.entries()
      const work = async () => {
        for (const [at, { path }] of queue) answers[at] = await readAlone(app, path, context, budget)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return { answers }
    },
  })
}

async function readAlone(
  app: FastifyInstance,
  path: string,
  { requestHeaders, peer, requestId }: CrmContext,
  budget: { bytes: number },
): Promise<Answer> {
  const headers = Object.fromEntries(Object.entries(requestHeaders).filter(([name]) => !ofTheBatch.has(name)))
  const answer = await app.inject({ method: 'GET', url: path, headers, remoteAddress: peer, payloadAsStream: true })
  // An answer that nobody reads to its end is ended at its source.
  const refuse = (error: ApiError): Answer => {
    answer.raw.res.destroy()
    return toApiAnswer(error, requestId ?? '')
  }
  if (!String(answer.headers['content-type']).startsWith('application/json')) {
    return refuse(new ApiError('VALIDATION_ERROR', { message: 'A batch carries JSON only. Send this request alone.' }))
  }
  const parts: Buffer[] = []
  for await (const part of answer.stream() as AsyncIterable<Buffer>) {
    budget.bytes -= part.length
    if (budget.bytes < 0) return refuse(new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: 1 }))
    parts.push(part)
  }
  return { status: answer.statusCode, body: JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown }
}
