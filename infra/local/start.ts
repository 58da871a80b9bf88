// `npm start`: everything the service needs, behind one address, until Ctrl-C.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ConfigError } from '@crm/runtime'
import { runInstallation } from './installation.ts'
import type { Deployable } from './installation.ts'
import { turboArgs, turboProgram, turboVariables } from './turbo.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Everything that runs behind the edge, named as in infra/routes.json. */
const deployables: readonly Deployable[] = [
  { name: 'crm-api', mainFile: 'apps/crm-api/bundle/main.js', role: 'crm_api' },
  { name: 'booking', mainFile: 'apps/booking/bundle/main.js', role: 'crm_booking' },
  { name: 'webhooks', mainFile: 'apps/webhooks/bundle/main-ingress.js', role: 'crm_hooks' },
  { name: 'webhooks-dispatcher', mainFile: 'apps/webhooks/bundle/main-dispatcher.js', role: 'crm_dispatcher' },
  { name: 'mcp-gateway', mainFile: 'apps/mcp-gateway/bundle/main.js', role: 'crm_gateway' },
  { name: 'console', mainFile: 'apps/console/bundle/main.js', role: undefined },
]

await runInstallation({ root, deployables, build: buildAll, seed: seedDemo })

/** Builds the pages and bundles what runs; what is fresh already is left alone. */
async function buildAll(stopping: AbortSignal): Promise<void> {
  await runStep('The project could not be built', turboProgram, turboArgs('build'), { ...process.env, ...turboVariables }, stopping)
}

/** Creates the demo workspace on the first start and refreshes demo.json on every one. */
async function seedDemo(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  const args = [join(root, 'apps/cli/bundle/main.js'), 'db', 'seed-demo', '--json']
  await runStep('The demo workspace could not be created', process.execPath, args, env, stopping)
}

async function runStep(sentence: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(program, args, { cwd: root, env, signal: stopping })
  } catch (error) {
    stopping.throwIfAborted()
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new ConfigError([`${sentence}:\n${stdout}${stderr}`.trimEnd()])
  }
}
