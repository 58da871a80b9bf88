import { announcedBytes } from '@crm/runtime'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import pLimit, { type LimitFunction } from 'p-limit'

/** Bodies up to so many bytes never wait. */
export const smallBodyBytesMax = 64 * 1024

/** Larger ones are in memory several times over, as bytes, as text and as values, so of those above these bytes so many are taken at once. */
const classes = [
  { above: 1024 * 1024, atOnce: 2 },
  { above: smallBodyBytesMax, atOnce: 16 },
] as const

/** A body whose turn it is arrives within so long, or its sender is hung up on. */
const usualArrivalMs = 60_000

/** How many bytes the body of a request may have: what its sender tells, or else what its route takes. */
export function bodyBytesOf(request: FastifyRequest): number {
  const announced = announcedBytes(request)
  return announced === Infinity ? (request.routeOptions.bodyLimit ?? Infinity) : announced
}

/** Lets large bodies wait their turn unread: however many come at once, they do not take the memory of the process. */
export function takeLargeBodiesInTurn(app: FastifyInstance, arrivesWithinMs = usualArrivalMs): void {
  const turns = classes.map(({ above, atOnce }) => ({ above, limit: pLimit(atOnce) }))
  const held = new WeakMap<FastifyRequest, () => void>()
  const takeTurn = async (limit: LimitFunction, request: FastifyRequest, response: ServerResponse): Promise<void> => {
    held.set(request, await turnOf(limit, response))
    hangUpOnSlow(request, response, arrivesWithinMs)
  }
  app.addHook('preParsing', (request, reply, _payload, next) => {
    const bytes = bodyBytesOf(request)
    const turn = turns.find(({ above }) => bytes > above)
    // One that is larger than its route takes is refused unread.
    if (!turn || isStreamed(request) || bytes > (request.routeOptions.bodyLimit ?? Infinity)) return next()
    return takeTurn(turn.limit, request, reply.raw)
  })
  // What is left of a body that was refused on its way is not kept, so nobody waits for it.
  app.addHook('onSend', (request, _reply, payload, next) => {
    held.get(request)?.()
    next(null, payload)
  })
}

/** Forms are never in memory as a whole where uploads are taken. */
function isStreamed({ headers, server }: FastifyRequest): boolean {
  return (
    /^multipart\/form-data\b/i.test(headers['content-type'] ?? '') && server.hasContentTypeParser('multipart/form-data')
  )
}

/** Resolves when the turn begins, with the function that ends it; the end of the answer ends it too, or a sender who goes away. */
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

function hangUpOnSlow({ raw }: FastifyRequest, response: ServerResponse, arrivesWithinMs: number): void {
  const timer = setTimeout(() => raw.destroy(), arrivesWithinMs)
  const stop = (): void => clearTimeout(timer)
  raw.once('end', stop)
  finished(response, stop)
}
