// `npm run test:faults`: the effect of one caller, one receiver or one fault on everybody else. Takes `--only TEXT` and `--minutes N`.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drillOptions, promise, runDrills } from '../stage/drills.ts'
import { runVitest } from '../stage/vitest.ts'
import type { Drill } from './drill.ts'
import { drills } from './drills.ts'
import { createProbe, type Probe, type ProbeReport } from './probe.ts'
import { watchProcesses, type ProcessReport } from './processes.ts'
import { setStage, type Stage } from './stage.ts'

/** The time for which the probe has the installation for itself before the harm. */
const idleMs = 20_000
/** The time for which the probe stays after the harm, for late effects. */
const afterwardsMs = 3_000
const minutesUsually = 10
const slowdownMaxUsually = 5
const memoryMbMax = 400

const { values } = parseArgs({ options: { ...drillOptions, minutes: { type: 'string' } } })

process.exitCode = await runDrills(
  [
    ...drills.map((drill) => ({ name: drill.name, run: () => tryOne(drill) })),
    { name: 'processes are killed with kill -9, and no work is lost', run: runKillRounds },
  ],
  values,
)

/** Runs one drill in an installation of its own, and reports its effects on everybody else. */
async function tryOne(drill: Drill): Promise<string> {
  const stage = await setStage(drill.env)
  try {
    const probe = await createProbe(stage)
    const harm = await drill.prepare(stage, {
      minutes: Number(values.minutes ?? drill.usualMinutes ?? minutesUsually),
    })
    const { idle, during, processes, harmed } = await observe(stage, probe, harm)
    const ended = processes.ended.filter((name) => drill.kills === undefined || !name.startsWith(`${drill.kills} (`))
    const report = { ...processes, ended }
    const broken = [
      ...harmed.broken,
      ...(drill.isOutage ? brokenInOutage(idle, during, report) : brokenPromises(idle, during, report, drill)),
    ].map((sentence) => `broken: ${sentence}`)
    const lines = [...harmed.seen, probeLine(idle, during), memoryLine(report)]
    if (broken.length > 0) throw new Error([...lines, ...stage.complaints().slice(0, 20), ...broken].join('\n'))
    return lines.join('\n')
  } finally {
    await stage.close()
  }
}

/** Watches an installation before the harm and during it. */
async function observe(stage: Stage, probe: Probe, harm: () => Promise<string>) {
  // Compiling and connecting happen before the measurement.
  await watched(probe.watch(), () => wait(idleMs / 4))
  const idle = await watched(probe.watch(), () => wait(idleMs))
  const watch = watchProcesses(stage.pid)
  const harmed: { seen: string[]; broken: string[] } = { seen: [], broken: [] }
  const during = await watched(probe.watch(), async () => {
    await harm().then(
      (seen) => harmed.seen.push(seen),
      (error: unknown) => harmed.broken.push((error as Error).message),
    )
    await wait(afterwardsMs)
  })
  return { idle, during, processes: watch.stop(), harmed }
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
async function runKillRounds(): Promise<void> {
  const code = await runVitest(['apps/webhooks/test/faults.test.ts'], { FAULT_ROUNDS: '8' })
  promise(code === 0, 'see above')
}
