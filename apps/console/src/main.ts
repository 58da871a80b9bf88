import { fileURLToPath } from 'node:url'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess } from '@crm/runtime'
import { observeRequests, requestIdOf } from '@crm/http/observe-requests'
import Fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import { checkBuilt, consoleApp } from './app.ts'
import { consoleConfig } from './config.ts'

const distDir = fileURLToPath(new URL('../dist', import.meta.url))

await runProcess({
  name: 'console',
  start: async (stopping) => {
    const config = loadConfig(consoleConfig, process.env)
    const logger = createLogger({ name: 'console', level: config.LOG_LEVEL })
    const loggerInstance: FastifyBaseLogger = logger
    const metrics = createMetrics('console')
    const app = Fastify({
      loggerInstance,
      logController: new LogController({ disableRequestLogging: true }),
      trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
      genReqId: requestIdOf,
      return503OnClosing: false,
    })
    observeRequests(app, { metrics, logger, clients: config.LOG_CLIENT })
    addHealthRoutes(app, { ready: { files: () => checkBuilt(distDir) }, metrics, stopping })
    await app.register(consoleApp, { distDir })
    await app.listen({ host: config.HOST, port: config.PORT })
    return { drainMs: config.DRAIN_SECONDS * 1000, close: () => app.close() }
  },
})
