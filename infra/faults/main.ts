// `npm run test:faults`: the effect of one caller, one receiver or one fault on everybody else. Takes `--only TEXT` and `--minutes N`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seconds } from '../local/progress.mjs'
import type { Drill } from './drill.ts'
import { drills } from './drills.ts'
import { createProbe, type ProbeReport } from './probe.ts'
import { watchProcesses, type ProcessReport } from './processes.ts'
import { setStage } from './stage.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The time for which the probe has the installation for itself before the harm. */
const idleMs = 20_000
/** The time for which the probe stays after the harm, for late effects. */
const afterwardsMs = 3_000
const minutesUsually = 10
const slowdownMaxUsually = 5
const memoryMbMax = 400
const killRounds = 'processes are killed with kill -9, and no work is lost'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    minutes: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
const isWanted = (name: string): boolean => name.includes(values.only)

if (![killRounds, ...drills.map(({ name }) => name)].some(isWanted))
  throw new Error(`No drill has "${values.only}" in its name; --list shows them all`)
if (values.list) console.log([killRounds, ...drills.map(({ name }) => name)].filter(isWanted).join('\n'))
else process.exitCode = await testFaults()

async function testFaults(): Promise<number> {
  const began = Date.now()
  let passed = 0
  let failed = 0
  const count = (isKept: boolean): void => void (isKept ? passed++ : failed++)
  for (const drill of drills) if (isWanted(drill.name)) count(await tryOne(drill))
  if (isWanted(killRounds)) count(await runKillRounds())
  console.log(`\nTook ${seconds(began)}.\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** Runs one drill in an installation of its own, and prints its effects on everybody else. */
async function tryOne(drill: Drill): Promise<boolean> {
  const began = Date.now()
  const broken: string[] = []
  const lines: string[] = []
  try {
    const stage = await setStage(drill.env)
    try {
      const probe = await createProbe(stage)
      const harm = await drill.prepare(stage, {
        minutes: Number(values.minutes ?? drill.usualMinutes ?? minutesUsually),
      })
      // Compiling and connecting happen before the measurement.
      await watched(probe.watch(), () => wait(idleMs / 4))
      const idle = await watched(probe.watch(), () => wait(idleMs))
      const processes = watchProcesses(stage.pid)
      const during = await watched(probe.watch(), async () => {
        await harm().then(
          (seen) => lines.push(seen),
          (error: unknown) => broken.push((error as Error).message),
        )
        await wait(afterwardsMs)
      })
      const watchedOnes = processes.stop()
      const ended = watchedOnes.ended.filter(
        (name) => drill.kills === undefined || !name.startsWith(`${drill.kills} (`),
      )
      const report = { ...watchedOnes, ended }
      broken.push(
        ...(drill.isOutage ? brokenInOutage(idle, during, report) : brokenPromises(idle, during, report, drill)),
      )
      lines.push(probeLine(idle, during), memoryLine(report))
      if (broken.length > 0) lines.push(...stage.complaints().slice(0, 20))
    } finally {
      await stage.close()
    }
  } catch (error) {
    broken.push((error as Error).stack ?? String(error))
  }
  print(drill.name, began, lines, broken)
  return broken.length === 0
}

async function watched<T>({ stop }: { stop(): Promise<T> }, work: () => Promise<unknown>): Promise<T> {
  await work()
  return stop()
}

/** Returns the broken promises among those that hold during every drill. */
function brokenPromises(
  idle: ProbeReport,
  during: ProbeReport,
  { largestMb, ended }: ProcessReport,
  { slowdownMax = slowdownMaxUsually }: Pick<Drill, 'slowdownMax'> = {},
): string[] {
  const tooLarge = [...largestMb].filter(([, mb]) => mb >= memoryMbMax)
  return [
    ...during.errors,
    ...idle.errors.map((error) => `before the harm: ${error}`),
    ...(during.p95Ms > slowdownMax * idle.p95Ms ? [`the probe took more than ${slowdownMax} times as long`] : []),
    ...ended.map((name) => `${name} ended`),
    ...tooLarge.map(([name, mb]) => `${name} took ${mb} MB, and ${memoryMbMax} are allowed`),
  ]
}

/** Returns the broken promises of an outage: each request is answered or refused in time, and no process ends. */
function brokenInOutage(idle: ProbeReport, during: ProbeReport, report: ProcessReport): string[] {
  const others = during.failed - during.refused
  return [
    ...(others > 0
      ? [`${others} requests of the probe were neither answered nor refused in time`, ...during.errors]
      : []),
    ...brokenPromises(idle, idle, report),
  ]
}

function probeLine(idle: ProbeReport, during: ProbeReport): string {
  const factor = (during.p95Ms / idle.p95Ms).toFixed(1)
  return `probe: p95 ${idle.p95Ms.toFixed(0)} ms idle, ${during.p95Ms.toFixed(0)} ms during (${factor} times), slowest ${during.slowest}; ${during.requests} requests, ${during.errors.length === 0 ? 'no error' : `${during.failed} failed, ${during.refused} of them told when to come again`}`
}

function memoryLine({ largestMb }: ProcessReport): string {
  return `memory: ${[...largestMb].map(([name, mb]) => `${name} ${mb} MB`).join(', ')}`
}

/** Runs the faults of the webhooks' own tests, in more rounds. */
async function runKillRounds(): Promise<boolean> {
  const began = Date.now()
  const vitest = spawn(join(root, 'node_modules/.bin/vitest'), ['run', 'apps/webhooks/test/faults.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FAULT_ROUNDS: '8' },
  })
  const [code] = (await once(vitest, 'exit')) as [number | null]
  print(killRounds, began, [], code === 0 ? [] : ['see above'])
  return code === 0
}

function print(name: string, began: number, lines: readonly string[], broken: readonly string[]): void {
  const all = [...lines, ...broken.map((sentence) => `broken: ${sentence}`)]
  console.log(
    `${broken.length === 0 ? '✓' : '✗'} ${name}  ${seconds(began)}\n${all.join('\n').replaceAll(/^/gm, '    ')}`,
  )
}
