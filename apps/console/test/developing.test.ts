import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testScratchDir } from '@crm/testkit'
import { it, onTestFinished } from 'vitest'
import { createServer } from 'vite'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

it('shows its pages from the sources, as npm run dev does', async () => {
  const installation = await startInstallation()
  const server = await createServer({
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    cacheDir: join(testScratchDir(), 'vite'),
    logLevel: 'error',
    server: { port: 0, strictPort: false, proxy: { '/api': installation.address } },
  })
  await server.listen()
  onTestFinished(() => server.close())
  const address = server.resolvedUrls?.local[0] ?? ''
  const { loaded } = await openPages(installation)
  const page = await loaded('/', { at: { ...installation, address } })
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor({ timeout: 60_000 })
}, 120_000)
