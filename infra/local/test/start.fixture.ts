// An installation of two small deployables.
import { fileURLToPath } from 'node:url'
import { runInstallation } from '../installation.ts'

await runInstallation({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  deployables: [
    { name: 'crm-api', mainFile: 'infra/local/test/deployable.fixture.ts', role: 'crm_api' },
    { name: 'console', mainFile: 'infra/local/test/deployable.fixture.ts', role: undefined },
  ],
  build: async () => undefined,
  seed: async () => undefined,
})
