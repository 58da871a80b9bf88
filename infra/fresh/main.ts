// `npm run test:fresh`: the two commands of the README on fresh machines of many kinds. Takes `--only TEXT` for some of them.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as waitMs } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../local/ports.ts'
import { seconds } from '../local/progress.mjs'
import { drillOptions, runDrills } from '../stage/drills.ts'
import { createMachine } from './machine.ts'
import { scenarios } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'
import { prepareStage } from './stage.ts'
import type { Stage } from './stage.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Far longer than the slowest scenario on a busy machine. */
const deadlineMs = 600_000

const { values } = parseArgs({ options: { ...drillOptions, 'at-once': { type: 'string', default: '2' } } })

if (!values.list && (process.getuid?.() !== 0 || process.platform !== 'linux')) {
  console.error('test:fresh makes throwaway machines, which needs root on Linux.')
  process.exitCode = 1
} else {
  process.exitCode = await testFresh()
}

async function testFresh(): Promise<number> {
  let prepared: Promise<Stage> | undefined
  // The first scenario prepares what all machines share.
  const stage = (): Promise<Stage> => (prepared ??= prepare())
  try {
    return await runDrills(
      scenarios.map((scenario) => ({ name: scenario.name, run: async () => tryOne(scenario, await stage()) })),
      { ...values, atOnce: Number(values['at-once']) },
    )
  } finally {
    await prepared?.then(
      ({ clear }) => clear(),
      () => undefined,
    )
  }
}

async function prepare(): Promise<Stage> {
  const began = Date.now()
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    console.log('Only what is committed is tested.')
  const stage = await prepareStage(root)
  console.log(`Prepared in ${seconds(began)}.`)
  return stage
}

async function tryOne({ run }: Scenario, stage: Stage): Promise<string> {
  const machine = await createMachine({ PORT: String(await freePort()) })
  try {
    const late = waitMs(deadlineMs, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`It took more than ${deadlineMs / 60_000} minutes.`)),
    )
    return await Promise.race([run(machine, stage), late])
  } finally {
    await machine.destroy()
  }
}
