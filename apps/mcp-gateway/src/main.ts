import { loadConfig, runProcess } from '@crm/runtime'
import { buildApp } from './app.ts'
import { gatewayConfig } from './config.ts'
import { openDeps } from './deps.ts'

await runProcess({
  name: 'mcp-gateway',
  start: async (stopping) => {
    const config = loadConfig(gatewayConfig, process.env)
    const { deps, close } = await openDeps(config)
    const app = buildApp(deps, stopping)
    app.addHook('onClose', close)
    await app.listen({ host: config.HOST, port: config.PORT })
    return { drainMs: config.DRAIN_SECONDS * 1000, close: () => app.close() }
  },
})
