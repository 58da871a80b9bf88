// The console of `npm run dev`, by Vite; it ends with the process that started it.
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const server = await createServer({
  configFile: fileURLToPath(new URL('../../apps/console/vite.config.ts', import.meta.url)),
})
await server.listen()
for (const ending of ['SIGTERM', 'disconnect'] as const)
  process.once(ending, () => void server.close().finally(() => process.exit(0)))
