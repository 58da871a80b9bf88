// `npm run test:deep`: what takes long and needs another seed each time, before a release. Takes `--seed N` and `--effort N`.
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readSources } from '../../scripts/sources.ts'
import { startChecks } from '../stage/drills.ts'
import { addPass, lastPass } from './passes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const record = 'docs/releases/test-deep.md'
const { values } = parseArgs({
  options: { seed: { type: 'string' }, effort: { type: 'string', default: '1' } },
})
const seed = values.seed ?? String(randomInt(2 ** 30))

/** The test files with random choices, and those that only this command runs. */
const files = readSources(root)
  .filter(
    ({ path, code }) =>
      /\.test\.tsx?$/.test(path) && (path.includes('.deep.') || /\bstepsOf\(|'fast-check'/.test(code)),
  )
  .map(({ path }) => path)

/** The tests of the public pages and of the main ways through the console; WebKit has a test of its own among the deep ones. */
const inFirefox = [
  'apps/booking/test/browser.test.ts',
  'apps/mcp-gateway/test/browser.test.ts',
  'apps/console/test/sign-in.test.ts',
  'apps/console/test/record-forms.test.ts',
  'apps/console/test/saved-filters.test.ts',
]

console.log(`Seed ${seed}: npm run test:deep -- --seed ${seed} does the same again.`)
const { check, finish } = startChecks()
await check('random walks, properties, generators and packages', () =>
  run('vitest', ['run', '--reporter=dot', ...files], { TEST_SEED: seed, TEST_EFFORT: values.effort }),
)
await check('a guest, a person who signs in and a client that asks are served by Firefox too', () =>
  run('vitest', ['run', '--reporter=dot', ...inFirefox], { TEST_BROWSER: 'firefox' }),
)
await check('processes are killed with kill -9, and no work is lost', () =>
  run('node', ['infra/faults/main.ts', '--only', 'kill -9'], { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }),
)
process.exitCode = finish()

const path = join(root, record)
const known = readFileSync(path, 'utf8')
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
const now =
  process.exitCode === 0 ? addPass(known, { day: new Date().toISOString().slice(0, 10), commit, seed }) : known
if (now !== known) writeFileSync(path, now)
console.log(`test:deep last passed ${lastPass(now)} (${record}).`)

async function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(join(root, 'node_modules', '.bin', program), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0)
    throw new Error(`It ended with ${code}; a find becomes an example in its test file, with the seed ${seed}.`)
}
