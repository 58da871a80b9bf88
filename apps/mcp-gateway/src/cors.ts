import type { FastifyInstance } from 'fastify'
import { authorizePath } from './discovery/metadata.ts'

const everywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
}

const preflight = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, traceparent, tracestate',
  'access-control-max-age': '86400',
}

/**
 * Clients in browsers may call from any origin: they send a credential of their own and never a cookie. The consent
 * page is not an API and stays closed to them.
 */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.routeOptions.url !== authorizePath) void reply.headers(everywhere)
    next()
  })
  app.options('/*', (_request, reply) => reply.code(204).headers(preflight).send())
}
