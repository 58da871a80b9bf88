import { fileURLToPath } from 'node:url'
import { addHealthRoutes, createLogger, createMetrics, loadConfig, runProcess } from '@crm/runtime'
import Fastify, { LogController } from 'fastify'
import { checkBuilt, consoleApp } from './app.ts'
import { consoleConfig } from './config.ts'

const distDir = fileURLToPath(new URL('../dist', import.meta.url))

await runProcess({
  name: 'console',
  start: async (stopping) => {
    const config = loadConfig(consoleConfig, process.env)
    const logger = createLogger({ name: 'console', level: config.LOG_LEVEL })
    const app = Fastify({
      loggerInstance: logger,
      logController: new LogController({ disableRequestLogging: true }),
      return503OnClosing: false,
    })
    addHealthRoutes(app, { ready: { files: () => checkBuilt(distDir) }, metrics: createMetrics('console'), stopping })
    await app.register(consoleApp, { distDir })
    await app.listen({ host: config.HOST, port: config.PORT })
    return { drainMs: config.DRAIN_SECONDS * 1000, close: () => app.close() }
  },
})
