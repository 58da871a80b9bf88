import { announcedBytes } from '@crm/runtime'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import pLimit, { type LimitFunction } from 'p-limit'

/** The largest size of bodies that never wait. */
export const smallBodyBytesMax = 64 * 1024

/** Larger bodies are in memory several times, as bytes, text and values, so each class limits how many bodies of its size run at once. */
const classes = [
  { above: 1024 * 1024, atOnce: 2 },
  { above: smallBodyBytesMax, atOnce: 16 },
] as const

/** The time in which a body must arrive once its turn has begun; then the connection is closed. */
const arrivesWithinMs = 60_000

/** Returns the size of a request's body: the announced size, or else the limit of its route. */
export function bodyBytesOf(request: FastifyRequest): number {
  const announced = announcedBytes(request)
  return announced === Infinity ? (request.routeOptions.bodyLimit ?? Infinity) : announced
}

/** Lets large bodies wait unread for their turn, so that concurrent ones cannot exhaust the memory of the process. */
export function takeLargeBodiesInTurn(app: FastifyInstance): void {
  const turns = classes.map(({ above, atOnce }) => ({ above, limit: pLimit(atOnce) }))
  const held = new WeakMap<FastifyRequest, () => void>()
  const takeTurn = async (limit: LimitFunction, request: FastifyRequest, response: ServerResponse): Promise<void> => {
    held.set(request, await turnOf(limit, response))
    hangUpOnSlow(request, response)
  }
  app.addHook('preParsing', (request, reply, _payload, next) => {
    const bytes = bodyBytesOf(request)
    const turn = turns.find(({ above }) => bytes > above)
    // A body over the limit of its route is refused unread.
    if (!turn || isStreamed(request) || bytes > (request.routeOptions.bodyLimit ?? Infinity)) return next()
    return takeTurn(turn.limit, request, reply.raw)
  })
  // The rest of a body that was refused during its transfer is not kept, so its turn can end.
  app.addHook('onSend', (request, _reply, payload, next) => {
    held.get(request)?.()
    next(null, payload)
  })
}

/** Forms are never fully in memory on servers that accept uploads. */
function isStreamed({ headers, server }: FastifyRequest): boolean {
  return (
    /^multipart\/form-data\b/i.test(headers['content-type'] ?? '') && server.hasContentTypeParser('multipart/form-data')
  )
}

/** Resolves when the turn begins, with the function that ends it; the end of the answer or a disconnected sender ends it too. */
function turnOf(limit: LimitFunction, response: ServerResponse): Promise<() => void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  finished(response, () => end())
  return new Promise((begin) => {
    void limit(async () => {
      begin(end)
      await ended
    })
  })
}

function hangUpOnSlow({ raw }: FastifyRequest, response: ServerResponse): void {
  const timer = setTimeout(() => raw.destroy(), arrivesWithinMs)
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop)
  finished(response, stop)
}
