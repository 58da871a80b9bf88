import { setTimeout as waitMs } from 'node:timers/promises'
import { seconds } from '../local/progress.mjs'
import type { Machine, RunOptions, Running } from './machine.ts'
import { readmeScript } from './readme.ts'

const readyLine = 'Press Ctrl-C to stop.'

/** A place in a machine where somebody starts the project. */
export interface Place extends RunOptions {
  readonly machine: Machine
  readonly cwd: string
  /** The command that runs npm; `npm` by default. */
  readonly npm?: string
}

/** Starts the project and waits until it is ready; returns the running program. */
export async function startUntilReady({ machine, npm = 'npm', ...options }: Place, args = ''): Promise<Running> {
  const running = machine.start(`exec ${npm} start ${args}`, options)
  await running.waitFor(readyLine, 600_000)
  if (/\n\s+at .*:\d+:\d+/.test(running.output())) throw new Error(`It printed a stack:\n${running.output()}`)
  if (/^\[\S+\] /m.test(running.output())) throw new Error(`A service complained:\n${running.output()}`)
  return running
}

/** Presses Ctrl-C and waits for the end: exit code 0, and no remaining process. */
export async function stop(place: Place, running: Running): Promise<void> {
  running.signal('SIGINT')
  const { code, output } = await running.done
  if (code !== 0 || !output.includes('Stopped.')) throw new Error(`It ended with ${code}:\n${output}`)
  const left = () => place.machine.processes(/postgres|(redis|valkey)-server 127|bundle\/main/)
  for (let round = 0; round < 50 && left().length > 0; round++) await waitMs(100)
  if (left().length > 0)
    throw new Error(
      `After Ctrl-C these are left:\n${left()
        .map(({ command }) => command)
        .join('\n')}`,
    )
}

/** Does the steps of a newcomer: start, every command of the README, Ctrl-C, and a second start that finds the lead of the first. */
export async function visit(place: Place, second: Place = place): Promise<string> {
  const began = Date.now()
  const first = await startUntilReady(place)
  const readyAfter = seconds(began)
  await place.machine.must(readmeScript(), place)
  for (const name of ['grace@navy', 'ada@hook', 'linus@guest']) await findLead(place, name)
  await stop(place, first)

  const beganAgain = Date.now()
  const again = await startUntilReady(second)
  const secondAfter = seconds(beganAgain)
  await findLead(second, 'grace@navy')
  await stop(second, again)
  return `ready in ${readyAfter}, the second time in ${secondAfter}`
}

/** Runs a start that has to refuse: one line, no stack, exit code 1. */
export async function expectRefusal({ machine, npm = 'npm', ...options }: Place, sentence: RegExp): Promise<string> {
  const { code, output } = await machine.run(`${npm} start`, options)
  const lines = output.split('\n').filter((line) => line.startsWith('npm start: '))
  if (code !== 1 || lines.length !== 1 || !sentence.test(lines[0] ?? '') || /^\s+at /m.test(output))
    throw new Error(`It ended with ${code} and said:\n${output}`)
  return lines[0] ?? ''
}

async function findLead({ machine, ...options }: Place, search: string): Promise<void> {
  const script = `demo() { node -p "require('./\${DATA_DIR:-.data}/demo.json').$1"; }
    for _ in $(seq 60); do
      curl -fsS "$(demo baseUrl)/api/leads?search=${search}" -H "Authorization: Bearer $(demo apiKey)" | grep -q '"total":[1-9]' && exit 0
      sleep 0.5
    done
    exit 1`
  await machine.must(script, options)
}
