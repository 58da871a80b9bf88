import { answerUnrouted, createServer, registerService } from '@crm/http'
import type { FastifyInstance } from 'fastify'
import type { CrmApiDeps } from './deps.ts'
import { createPorts } from './ports.ts'
import { publicService } from './service.ts'

/** Builds the CRM API without listening. */
export function createCrmApi(deps: CrmApiDeps): FastifyInstance {
  const app = createServer({ trustedProxies: deps.trustedProxies })
  const ports = createPorts(deps)
  registerService(app, publicService, ports)
  answerUnrouted(app, 'public', ports as never)
  return app
}
