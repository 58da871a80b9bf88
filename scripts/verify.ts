// `npm run verify`: types, lint, format, structure and the nearest tests of what changed since the last commit, or `-- --since REF`.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { startChecks } from '../infra/stage/drills.ts'
import { nearestTests } from './nearest-tests.ts'
import { readSources } from './sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { since: { type: 'string', default: 'HEAD' } } })

const changed = [
  ...git('diff', '--name-only', values.since),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((path) => existsSync(join(root, path)))
const code = changed.filter((path) => /\.tsx?$/.test(path))
const { tests, further } = nearestTests(code, readSources(root))

console.log(
  `${changed.length} changed files, ${tests.length} test files near them, ${further} further ones that lead to them.`,
)
const { check, finish } = startChecks()
await check('format', () => run('oxfmt', ['--check', ...changed]))
await check('structure', () => run('node', ['scripts/check-boundaries.ts']))
await check('nothing unused', () => run('knip', ['--no-progress']))
// One core each: the compiler, and the linter before the tests.
await Promise.all([
  check('types', () =>
    run('tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/verify.tsbuildinfo']),
  ),
  testsAfterLint(),
])
if (code.some((path) => /^apps\/\w+\/web\//.test(path)))
  await check('types of the pages', () =>
    run('turbo', ['run', 'typecheck:web', '--output-logs=errors-only', '--no-update-notifier']),
  )
process.exitCode = finish()

async function testsAfterLint(): Promise<void> {
  if (code.length > 0) await check('lint', () => run('oxlint', ['--type-aware', '--deny-warnings', ...code]))
  if (tests.length > 0)
    await check('tests', () =>
      run('vitest', ['run', '--reporter=dot', '--reporter=./infra/local/reporter.ts', ...tests]),
    )
}

function git(...args: readonly string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** Runs a program of the project; its output is in the error when it fails. */
async function run(program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(root, 'node_modules', '.bin', program), args, {
    cwd: root,
    maxBuffer: 1e8,
    env: { ...process.env, NO_COLOR: '1', TURBO_TELEMETRY_DISABLED: '1' },
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${stdout}${stderr}`.trim())
  })
}
