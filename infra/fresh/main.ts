// `npm run test:fresh`: the two commands of the README on fresh machines of many kinds. Takes `--only TEXT` for some of them.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '../local/ports.ts'
import { createMachine } from './machine.ts'
import { scenarios } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'
import { prepareStage } from './stage.ts'
import type { Stage } from './stage.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, 'at-once': { type: 'string', default: '2' } } })

if (process.getuid?.() !== 0 || process.platform !== 'linux') {
  console.error('test:fresh makes throwaway machines, which needs root on Linux.')
  process.exitCode = 1
} else {
  process.exitCode = await testFresh()
}

async function testFresh(): Promise<number> {
  const began = Date.now()
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '') console.log('Only what is committed is tested.')
  const stage = await prepareStage(root)
  console.log(`Prepared in ${seconds(began)}.`)
  const waiting = scenarios.filter(({ name }) => name.includes(values.only))
  const failures: string[] = []
  let passed = 0
  const worker = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const failure = await tryOne(scenario, stage)
      if (failure === undefined) passed++
      else failures.push(failure)
    }
  }
  try {
    await Promise.all(Array.from({ length: Number(values['at-once']) }, worker))
  } finally {
    stage.clear()
  }
  for (const failure of failures) console.log(`\n${failure}`)
  console.log(`\n${passed} passed, ${failures.length} failed, in ${seconds(began)}`)
  return failures.length === 0 ? 0 : 1
}

async function tryOne({ name, run }: Scenario, stage: Stage): Promise<string | undefined> {
  const began = Date.now()
  const machine = await createMachine({ PORT: String(await freePort()) })
  try {
    const seen = await run(machine, stage)
    console.log(`✓ ${name}  ${seconds(began)}\n    ${seen}`)
    return undefined
  } catch (error) {
    console.log(`✗ ${name}  ${seconds(began)}`)
    return `${name}:\n${(error as Error).message}`
  } finally {
    await machine.destroy()
  }
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`
}
