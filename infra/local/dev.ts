// `npm run dev`: everything as `npm start` runs it, from the sources: services start again and pages reload when their files change.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { runInstallation, type Deployable } from './installation.ts'
import { turboArgs, turboProgram, turboVariables } from './turbo.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { inspect: { type: 'boolean' }, 'no-demo': { type: 'boolean' } } })
/** The first service listens for debuggers where they usually look, each further one at the next port. */
const firstInspectorPort = 9229

/** Node loses a file that an editor replaces, so the folders are watched. */
const packageFolders = globSync('packages/*/src', { cwd: root })

const services = [
  ['crm-api', 'apps/crm-api/src/main.ts', 'crm_api'],
  ['booking', 'apps/booking/src/main.ts', 'crm_booking'],
  ['webhooks', 'apps/webhooks/src/main-ingress.ts', 'crm_hooks'],
  ['webhooks-dispatcher', 'apps/webhooks/src/main-dispatcher.ts', 'crm_dispatcher'],
  ['mcp-gateway', 'apps/mcp-gateway/src/main.ts', 'crm_gateway'],
] as const

const deployables: readonly Deployable[] = [
  ...services.map(([name, mainFile, role], at) => ({ name, mainFile, role, flags: flagsOf(at, dirname(mainFile)) })),
  {
    name: 'console',
    mainFile: 'infra/local/dev-console.ts',
    role: undefined,
    flags: ['--disable-warning=ExperimentalWarning'],
  },
]

if (values.inspect)
  console.log(
    services.map(([name], at) => `${name} listens for debuggers at 127.0.0.1:${firstInspectorPort + at}`).join('\n'),
  )
await runInstallation({
  root,
  command: 'npm run dev',
  withDemo: values['no-demo'] !== true,
  build: async (stopping) => {
    const run = promisify(execFile)
    // The pages of booking alone have no server for development.
    await run(turboProgram, turboArgs('build', '--filter=@crm/booking'), {
      cwd: root,
      env: { ...process.env, ...turboVariables },
      signal: stopping,
    })
    const crm = ['--disable-warning=ExperimentalWarning', join(root, 'apps/cli/src/main.ts')]
    return {
      deployables,
      seedDemo: async (env) =>
        (
          await run(process.execPath, [...crm, 'db', 'seed-demo'], { cwd: root, env, signal: stopping })
        ).stdout.trimEnd(),
    }
  },
})

function flagsOf(at: number, folder: string): readonly string[] {
  const inspect = values.inspect ? [`--inspect=127.0.0.1:${firstInspectorPort + at}`] : []
  const watched = [folder, ...packageFolders].map((path) => `--watch-path=${join(root, path)}`)
  return [...watched, '--watch-preserve-output', '--disable-warning=ExperimentalWarning', ...inspect]
}
