import { answerUnrouted, createServer, registerService } from '@crm/http'
import { settingsDocument } from '@crm/openapi'
import type { FastifyInstance } from 'fastify'
import { completeDeps, type GivenDeps } from './platform/deps.ts'
import { createPorts } from './ports.ts'
import { addPaymentPages } from './resources/invoices/payment-page.ts'
import { publicService, settingsService } from './service.ts'

/** Builds the CRM API without listening. */
export function createCrmApi(given: GivenDeps): FastifyInstance {
  const deps = completeDeps(given)
  const app = createServer({ trustedProxies: deps.trustedProxies })
  const ports = createPorts(deps)
  registerService(app, publicService, ports)
  registerService(app, settingsService, ports)
  app.get('/api/settings/openapi.json', async () => settingsDocument())
  addPaymentPages(app, deps)
  answerUnrouted(app, 'public', ports)
  return app
}
