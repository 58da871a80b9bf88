// `npm run test:fresh`: the two commands of the README on fresh machines of many kinds. Takes `--only TEXT` for some of them.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as waitMs } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../local/ports.ts'
import { seconds } from '../local/progress.mjs'
import { createMachine } from './machine.ts'
import { scenarios } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'
import { prepareStage } from './stage.ts'
import type { Stage } from './stage.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Far longer than the slowest scenario on a busy machine. */
const deadlineMs = 600_000

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'at-once': { type: 'string', default: '2' } },
})

if (process.getuid?.() !== 0 || process.platform !== 'linux') {
  console.error('test:fresh makes throwaway machines, which needs root on Linux.')
  process.exitCode = 1
} else {
  process.exitCode = await testFresh()
}

async function testFresh(): Promise<number> {
  const began = Date.now()
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    console.log('Only what is committed is tested.')
  const stage = await prepareStage(root)
  console.log(`Prepared in ${seconds(began)}.`)
  const waiting = scenarios.filter(({ name }) => name.includes(values.only))
  let passed = 0
  let failed = 0
  const worker = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      if (await tryOne(scenario, stage)) passed++
      else failed++
    }
  }
  try {
    await Promise.all(Array.from({ length: Number(values['at-once']) }, worker))
  } finally {
    stage.clear()
  }
  console.log(`\nTook ${seconds(began)}.\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function tryOne({ name, run }: Scenario, stage: Stage): Promise<boolean> {
  const began = Date.now()
  const machine = await createMachine({ PORT: String(await freePort()) })
  try {
    const late = waitMs(deadlineMs, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`It took more than ${deadlineMs / 60_000} minutes.`)),
    )
    const seen = await Promise.race([run(machine, stage), late])
    console.log(`✓ ${name}  ${seconds(began)}\n    ${seen}`)
    return true
  } catch (error) {
    console.log(`✗ ${name}  ${seconds(began)}\n${(error as Error).message.replaceAll(/^/gm, '    ')}`)
    return false
  } finally {
    await machine.destroy()
  }
}
