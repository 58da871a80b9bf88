import type { FastifyInstance, FastifyReply } from 'fastify'

const apiPath = '/api/public/booking/'

/** Headers of every answer of the API. */
export const everywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After',
  'cache-control': 'no-store',
}

const preflight = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Accept',
  'access-control-max-age': '86400',
}

/** Any website may call the booking API and read the reason of a refusal; no answer may be cached. */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith(apiPath)) allowFromEverywhere(reply)
    next()
  })
  app.options(`${apiPath}*`, (_request, reply) => reply.code(204).headers(preflight).send())
}

/** Marks one answer as open to every website. */
export function allowFromEverywhere(reply: FastifyReply): void {
  void reply.headers(everywhere)
}
