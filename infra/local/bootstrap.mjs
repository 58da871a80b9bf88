// `npm start` and `npm test` on a fresh machine: plain JavaScript for Node >= 20 without dependencies, because there may be
// none yet. It installs what the lockfile says and hands over to TypeScript on the Node that the lockfile brings.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const binDir = join(root, 'node_modules', '.bin')
const mode = process.argv[2]

if (mode !== 'start' && mode !== 'test') {
  console.error('Usage: node infra/local/bootstrap.mjs start|test')
  process.exit(1)
}

// npm writes this file last, so that an interrupted installation is done again.
if (isOlder(join(root, 'node_modules', '.package-lock.json'), join(root, 'package-lock.json'))) installDependencies()

const child = spawn(join(binDir, 'node'), ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4', '--max-old-space-size=160', join(root, 'infra', 'local', `${mode}.ts`), ...process.argv.slice(3)], {
  cwd: root,
  // By the channel the child notices when this process is killed, and ends too.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  // What was compiled once is not compiled again, neither by this process nor by those that it starts.
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'), ...process.env, PATH: `${binDir}${delimiter}${process.env.PATH}` },
})
// The child ends in its own order; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// When npm itself was killed, nobody is left to pass signals on.
const { ppid: npm } = process
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === npm || child.kill(), 1_000)
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))

function installDependencies() {
  console.log('Installing dependencies (npm ci).')
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const { status } = spawnSync(npm[0], [...npm.slice(1), 'ci', '--include=dev', '--loglevel=error'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    console.error('The dependencies could not be installed; the lines above say why.')
    process.exit(1)
  }
}

function isOlder(file, reference) {
  return !existsSync(file) || statSync(file).mtimeMs < statSync(reference).mtimeMs
}
