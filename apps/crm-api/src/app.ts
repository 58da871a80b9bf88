import { answerUnrouted, createServer, registerService } from '@crm/http'
import { settingsDocument } from '@crm/openapi'
import type { FastifyInstance } from 'fastify'
import { noteAgentCalls } from './across/agents/call-notes.ts'
import { LiveStreams } from './across/live/live.streams.ts'
import { completeDeps, type GivenDeps } from './platform/deps.ts'
import { createPorts, createScimPorts } from './ports.ts'
import { addPaymentPages } from './resources/finance/invoices/payment-page.ts'
import { createPublicService, createSettingsService, scimService } from './service.ts'

/** Builds the CRM API without listening. */
export function createCrmApi(given: GivenDeps): FastifyInstance {
  const deps = completeDeps(given)
  const app = createServer({ trustedProxies: deps.trustedProxies })
  const ports = createPorts(deps)
  registerService(app, createPublicService(app), ports)
  const streams = new LiveStreams(deps)
  app.addHook('preClose', () => streams.close())
  app.addHook('onClose', () => deps.providerEgress.close())
  noteAgentCalls(app, deps)
  registerService(app, createSettingsService(app, streams), ports)
  const scimPorts = createScimPorts(deps, ports)
  registerService(app, scimService, scimPorts)
  app.get('/api/settings/openapi.json', async () => settingsDocument())
  addPaymentPages(app, deps)
  // RFC 7644, section 3, names these; nothing that we know asks for them.
  const leftOut = ['Bulk', 'Me', '.search', 'Users/.search', 'Groups/.search'].map((name) => `/api/scim/v2/${name}`)
  answerUnrouted(app, { surface: 'public', ports }, { surface: 'scim', ports: scimPorts, below: '/api/scim/', leftOut })
  return app
}
