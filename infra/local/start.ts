// `npm start`: everything the service needs, behind one address, until Ctrl-C.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { buildProject } from './build.ts'
import { runInstallation } from './installation.ts'
import type { Build, Deployable } from './installation.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The deployables behind the edge, named as in infra/routes.json. */
const deployables: readonly Deployable[] = [
  { name: 'crm-api', mainFile: 'apps/crm-api/bundle/main.js', role: 'crm_api' },
  { name: 'booking', mainFile: 'apps/booking/bundle/main.js', role: 'crm_booking' },
  { name: 'webhooks', mainFile: 'apps/webhooks/bundle/main-ingress.js', role: 'crm_hooks' },
  { name: 'webhooks-dispatcher', mainFile: 'apps/webhooks/bundle/main-dispatcher.js', role: 'crm_dispatcher' },
  { name: 'mcp-gateway', mainFile: 'apps/mcp-gateway/bundle/main.js', role: 'crm_gateway' },
  { name: 'console', mainFile: 'apps/console/bundle/main.js', role: undefined },
]

const help = `npm start                  start everything, with the demo workspace
npm start -- --no-demo     start everything without making the demo workspace

PORT, DATA_DIR, BASE_URL, DATABASE_URL and REDIS_URL change what it uses.`

const options = readOptions()
if (options?.help === true) console.log(help)
else if (options !== undefined)
  await runInstallation({ root, command: 'npm start', withDemo: options['no-demo'] !== true, build: buildAll })

function readOptions(): { readonly help?: boolean | undefined; readonly 'no-demo'?: boolean | undefined } | undefined {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h' }, 'no-demo': { type: 'boolean' } } }).values
  } catch (error) {
    console.error(`npm start: ${(error as Error).message.split('.')[0]}; it takes --no-demo and --help.`)
    process.exitCode = 1
    return undefined
  }
}

async function buildAll(stopping: AbortSignal): Promise<Build> {
  await buildProject(stopping)
  const crm = async (env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'apps/cli/bundle/main.js'), ...args], {
      cwd: root,
      env,
      signal: stopping,
    })
    return stdout.trimEnd()
  }
  return {
    deployables,
    seedDemo: (env) => crm(env, 'db', 'seed-demo'),
  }
}
