// An installation of two small deployables.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { runInstallation } from '../installation.ts'

await runInstallation({
  command: 'npm start',
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  withDemo: true,
  build: async () => ({
    deployables: [
      { name: 'crm-api', mainFile: 'infra/local/test/deployable.fixture.ts', role: 'crm_api' },
      { name: 'console', mainFile: 'infra/local/test/deployable.fixture.ts', role: undefined },
    ],
    seedDemo: async () => {
      // Another program takes the port while this one starts.
      if (process.env['PORT_TAKEN_MEANWHILE'] !== undefined)
        await once(createServer().listen(Number(process.env['PORT'])), 'listening')
      return 'The demo workspace'
    },
  }),
})
