// The edge as a process of its own, for containers: in front of everything, or only for /healthz behind another edge.
import { loadConfig, runProcess, startTracing } from '@crm/runtime'
import { boundsOf, edgeConfig } from './config.ts'
import { startEdge } from './edge.ts'
import { routingTable } from './routes.ts'

await runProcess({
  name: 'edge',
  start: async () => {
    const config = loadConfig(edgeConfig, process.env)
    const targets = Object.fromEntries(
      routingTable.services.map((name) => [name, { host: name, port: routingTable.containerPort }]),
    )
    const endTracing = await startTracing('edge', config)
    const edge = await startEdge({
      targets,
      port: config.PORT,
      host: config.HOST,
      trustedProxies: config.TRUSTED_PROXIES,
      bounds: boundsOf(config),
    })
    return {
      close: async () => {
        await edge.close()
        await endTracing()
      },
    }
  },
})
