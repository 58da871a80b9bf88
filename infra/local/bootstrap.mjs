// `npm start`, `npm test` and `npm run dev` on a fresh machine: plain JavaScript without dependencies, because there may be none yet.
// It installs the packages of the lockfile and hands over to TypeScript on the Node that the lockfile brings.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitForLock } from './lock.mjs'
import { createProgress } from './progress.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const binDir = join(root, 'node_modules', '.bin')
const mode = process.argv[2]
const oldestNode = 20
const command = mode === 'dev' ? 'npm run dev' : `npm ${mode}`

if (!['start', 'test', 'dev'].includes(mode)) fail('Usage: node infra/local/bootstrap.mjs start|test|dev')
if (Number.parseInt(process.versions.node, 10) < oldestNode)
  fail(`${command}: This is Node.js ${process.versions.node}; install version ${oldestNode} or newer and try again.`)

// A signal stops the current child, in its own order; this process only waits for it.
let child
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true
    child?.kill(signal)
  })
}
// When npm itself was killed, no process passes signals on.
const { ppid: npm } = process
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === npm || child?.kill(), 1_000).unref()

if (!isInstalled()) await installOnce()
if (interrupted) process.exit(mode === 'test' ? 1 : 0)

child = spawn(
  join(binDir, 'node'),
  ['--disable-warning=ExperimentalWarning', join(root, 'infra', 'local', `${mode}.ts`), ...process.argv.slice(3)],
  {
    cwd: root,
    // Through the channel the child notices the end of a killed parent, and ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // The compile cache serves this process and all processes that it starts.
    env: {
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'),
      ...process.env,
      PATH: `${binDir}${delimiter}${process.env.PATH}`,
    },
  },
)
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))

/** Whether the packages match the lockfile. npm writes the hidden lockfile last, so an interrupted installation is repeated. */
function isInstalled() {
  const written = statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return written >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** Installs the packages, unless another start is doing so now. */
async function installOnce() {
  const progress = createProgress()
  const release = await waitForLock(join(root, '.setup.lock'), () =>
    progress.say('Another start installs the packages; this one waits for it.'),
  ).catch((error) =>
    fail(
      `${command}: Installing the packages failed: ${error.message}; put the project into a folder that you may write to.`,
    ),
  )
  try {
    if (!isInstalled() && !interrupted) await progress.step('Install packages', install)
  } catch (error) {
    if (interrupted) return
    release()
    fail(`${command}: ${error.message}`)
  } finally {
    release()
  }
}

async function install() {
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const ownCache = canWrite(npmCache()) ? undefined : mkdtempSync(join(tmpdir(), 'npm-cache-'))
  try {
    const { code, output } = await run(npm[0], [
      ...npm.slice(1),
      'ci',
      '--include=dev',
      '--loglevel=error',
      ...(ownCache === undefined ? [] : ['--cache', ownCache]),
    ])
    if (code !== 0) throw new Error(explain(output))
  } finally {
    if (ownCache !== undefined) rmSync(ownCache, { recursive: true, force: true })
  }
}

function npmCache() {
  return process.env.npm_config_cache ?? join(homedir(), '.npm')
}

/** Whether files can be created in a folder, or in the nearest existing one above it. */
function canWrite(folder) {
  if (!existsSync(folder)) return folder !== dirname(folder) && canWrite(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Returns one sentence for the output of a failed npm. */
function explain(output) {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line !== '')
  const code = lines.map((line) => /^code (\w+)/.exec(line)?.[1]).find(Boolean)
  const reason = lines.find((line) => !/^(code|errno|syscall|path|dest)\b/.test(line)) ?? 'npm ended without a word'
  return `Installing the packages failed: ${code === 'ENOSPC' ? 'the disk is full' : reason.replace(/\.$/, '')}; ${remedyFor(code)}.`
}

function remedyFor(code) {
  if (code === 'ENOSPC') return 'free some space and try again'
  if (['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH'].includes(code))
    return 'connect to the npm registry and try again'
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'put the project into a folder that you may write to'
  return 'run `npm ci` to see all that npm says'
}

/** Runs a program to its end and collects its standard error. */
function run(program, args) {
  return new Promise((resolve, reject) => {
    let output = ''
    child = spawn(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
