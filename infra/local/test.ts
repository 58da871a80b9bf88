// `npm test`: every check and every test, with servers of its own; the last line sums them up.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWatch } from './processor-time.ts'
import { tellWrongStatements } from './statements.ts'
import { startTestServices } from './test-services.ts'
import { turboArgs, turboVariables } from './turbo.ts'

interface Score {
  readonly passed: number
  readonly failed: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Tasks of Turborepo; the tasks of a line run in parallel. */
const checks = [['//#typecheck:root', 'typecheck:web'], ['//#lint'], ['//#check']] as const
/** The type checker and the linter end within minutes: collecting their garbage takes them less processor time this way, for a little more memory. */
const variablesOfChecks = { GOGC: '200' }
/** The whole has a bound; these are the places to look at when it is met. */
const slowestShown = 10
const env = { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...turboVariables }

// Bounded: each task adds one.
const scores: Score[] = []
// Bounded: each task adds one.
const took: string[] = []
const whole = startWatch()
await runTasks('build')
// Tests wait for servers, browsers and clocks a third of their time; the checks run meanwhile.
await Promise.all([runChecks(), runTests()])
took.push(`all: ${whole()}`)
console.log(`\nWhat took how long:\n${took.map((line) => `  ${line}`).join('\n')}`)

const passed = scores.reduce((sum, score) => sum + score.passed, 0)
const failed = scores.reduce((sum, score) => sum + score.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runChecks(): Promise<void> {
  for (const tasks of checks) await runTasks(...tasks)
}

/** Runs tasks of Turborepo, which count as one test. */
async function runTasks(...tasks: readonly string[]): Promise<void> {
  const began = Date.now()
  const exitCode = await run('turbo', [...turboArgs(...tasks), '--continue'], variablesOfChecks)
  scores.push(exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  tookSince(began, tasks.join(', '))
}

function tookSince(began: number, what: string): void {
  took.push(`${what}: ${Math.round((Date.now() - began) / 1_000)} s`)
}

async function runTests(): Promise<void> {
  const began = Date.now()
  const reportDir = mkdtempSync(join(tmpdir(), 'crm-test-report-'))
  const reportFile = join(reportDir, 'report.json')
  const services = await startTestServices()
  try {
    const exitCode = await run(
      'vitest',
      [
        'run',
        '--reporter=dot',
        '--reporter=json',
        '--reporter=./infra/local/reporter.ts',
        `--outputFile.json=${reportFile}`,
        ...process.argv.slice(2),
      ],
      {
        TEST_DATABASE_URL: services.databaseUrl,
        TEST_REDIS_URL: services.redisUrl,
        TEST_SCRATCH_DIR: services.scratchDir,
      },
    )
    const score = scoreOf(reportFile, exitCode)
    const wrong = await tellWrongStatements(services.databaseUrl)
    scores.push(score, wrong === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
    tookSince(began, 'tests')
  } finally {
    await services.stop()
    rmSync(reportDir, { recursive: true, force: true })
  }
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly FileResult[]
}

interface FileResult {
  readonly name: string
  readonly status: string
  readonly startTime: number
  readonly endTime: number
  readonly assertionResults: readonly { readonly status: string }[]
}

/** Prints the files that took longest. */
function showSlowest({ testResults }: Report): void {
  const secondsOf = ({ startTime, endTime }: FileResult): number => (endTime - startTime) / 1_000
  const slowest = testResults.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, slowestShown)
  console.log('\nThe slowest files:')
  for (const file of slowest) console.log(`  ${secondsOf(file).toFixed(0).padStart(4)} s  ${relative(root, file.name)}`)
}

/** Counts the results in Vitest's report; a file that could not be loaded or leaves something behind, or an error outside all files, is one failure more. */
function scoreOf(reportFile: string, exitCode: number): Score {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
    showSlowest(report)
    const wholeFiles = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    )
    const failed = report.numFailedTests + wholeFiles.length
    return { passed: report.numPassedTests, failed: exitCode !== 0 && failed === 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', program), args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, ...variables },
    })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
