// The edge as a process of its own, for containers: in front of everything, or only for /healthz behind another edge.
import { createLogger, createMetrics, loadConfig, runProcess, startTracing } from '@crm/runtime'
import { boundsOf, edgeConfig } from './config.ts'
import { startEdge } from './edge.ts'
import { observerOf } from './observe.ts'
import { routingTable } from './routes.ts'
import { serveWatch } from './watch.ts'

await runProcess({
  name: 'edge',
  start: async (stopping) => {
    const config = loadConfig(edgeConfig, process.env)
    const targets = Object.fromEntries(
      routingTable.services.map((name) => [name, { host: name, port: routingTable.containerPort }]),
    )
    const endTracing = await startTracing('edge', config)
    const metrics = createMetrics('edge')
    const logger = createLogger({ name: 'edge', level: config.LOG_LEVEL })
    const edge = await startEdge({
      targets,
      port: config.PORT,
      host: config.HOST,
      trustedProxies: config.TRUSTED_PROXIES,
      bounds: boundsOf(config),
      observer: observerOf(metrics, logger, config.LOG_CLIENT),
      stopping,
    })
    const { WATCH_PORT: watchPort, HOST: host } = config
    const watch = watchPort === undefined ? undefined : await serveWatch({ port: watchPort, host, metrics, stopping })
    return {
      drainMs: config.DRAIN_SECONDS * 1000,
      close: async () => {
        await edge.close()
        watch?.close()
        await endTracing()
      },
    }
  },
})
