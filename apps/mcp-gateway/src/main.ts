import { requireFitServer, startBeat } from '@crm/db'
import { loadConfig, runProcess, startTracing } from '@crm/runtime'
import { buildApp } from './app.ts'
import { gatewayConfig } from './config.ts'
import { openDeps } from './deps.ts'

await runProcess({
  name: 'mcp-gateway',
  start: async (stopping) => {
    const config = loadConfig(gatewayConfig, process.env)
    const endTracing = await startTracing('mcp-gateway', config)
    const { deps, pool, close } = await openDeps(config)
    await requireFitServer(pool)
    const app = buildApp(deps, stopping)
    const beat = startBeat({ pools: [pool], kind: 'mcp-gateway', logger: deps.logger })
    app.addHook('onClose', async () => {
      await beat.close()
      await close()
      await endTracing()
    })
    await app.listen({ host: config.HOST, port: config.PORT })
    return { drainMs: config.DRAIN_SECONDS * 1000, close: () => app.close() }
  },
})
