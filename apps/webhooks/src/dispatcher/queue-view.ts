import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { openAllQueues } from '@crm/jobs/queues'
import Fastify from 'fastify'

/** A server that shows the queues of the whole installation to its operator. */
export interface QueueView {
  /** Its address, such as `http://127.0.0.1:8090`. */
  readonly address: string
  close(): Promise<void>
}

// Anybody who reaches the port may look, so no page of another origin may: neither in a frame, nor under another name
// for this address.
const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
const headers = {
  // The pages of the library load fonts from elsewhere, and an operator's machine has no reason to do so.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/**
 * Serves the queues on a port of their own, read-only: PostgreSQL decides what is to be done, so there is nothing to
 * change here.
 */
export async function serveQueueView({
  redisUrl,
  host,
  port,
}: {
  readonly redisUrl: string
  readonly host: string
  readonly port: number
}): Promise<QueueView> {
  const { queues, close } = openAllQueues(redisUrl)
  const adapter = new FastifyAdapter()
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Queues' } },
  })
  const app = Fastify({ logger: false })
  app.addHook('onRequest', async ({ hostname, method }, reply) => {
    reply.headers(headers)
    if (!ownNames.includes(hostname)) return reply.code(421).send('Open this page as localhost.\n')
    if (method !== 'GET' && method !== 'HEAD')
      return reply.code(405).header('allow', 'GET, HEAD').send('The queues can only be looked at.\n')
  })
  await app.register(adapter.registerPlugin())
  const address = await app.listen({ host, port }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    address,
    close: async () => {
      await app.close()
      await close()
    },
  }
}
