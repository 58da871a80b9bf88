import { seconds } from '../local/progress.mjs'

/** The parts of a rehearsal, each printed with its outcome. */
export interface Checks {
  /** Runs a part and prints how it ended, with the report that it returns; returns whether it did well. */
  check(name: string, work: () => Promise<string | void>): Promise<boolean>
  /** Prints the sums and returns the exit code. */
  finish(): number
}

/** Begins a rehearsal. */
export function startChecks(): Checks {
  const began = Date.now()
  const ended = { passed: 0, failed: 0 }
  return {
    check: async (name, work) => {
      const at = Date.now()
      try {
        const seen = await work()
        ended.passed++
        console.log(`✓ ${name}  ${seconds(at)}${reported(seen ?? '')}`)
        return true
      } catch (error) {
        ended.failed++
        console.log(`✗ ${name}  ${seconds(at)}${below((error as Error).message)}`)
        return false
      }
    },
    finish: () => {
      console.log(`\nTook ${seconds(began)}.\n${ended.passed} passed, ${ended.failed} failed`)
      return ended.failed === 0 ? 0 : 1
    },
  }
}

/** A short report stands behind the name, a longer one below it. */
function reported(report: string): string {
  return report === '' || report.includes('\n') ? below(report) : `  ${report}`
}

function below(report: string): string {
  return report === '' ? '' : `\n${report.replaceAll(/^/gm, '    ')}`
}

/** Fails with a sentence unless a promise holds. */
export function promise(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence)
}

/** A part of a rehearsal that needs no other one. */
export interface Drill {
  readonly name: string
  /** Does its work and returns a report; fails with a sentence for what is broken. */
  run(): Promise<string | void>
}

/** The options of every command that runs drills, for `parseArgs`. */
export const drillOptions = {
  only: { type: 'string', default: '' },
  list: { type: 'boolean', default: false },
} as const

/** Runs the drills with a text in their names, or only lists them, and returns the exit code. */
export async function runDrills(
  drills: readonly Drill[],
  { only, list, atOnce = 1 }: { readonly only: string; readonly list: boolean; readonly atOnce?: number },
): Promise<number> {
  const waiting = drills.filter(({ name }) => name.includes(only))
  if (waiting.length === 0) {
    console.error(`No drill has "${only}" in its name; --list shows them all`)
    return 1
  }
  if (list) {
    console.log(waiting.map(({ name }) => name).join('\n'))
    return 0
  }
  const { check, finish } = startChecks()
  const worker = async (): Promise<void> => {
    for (let drill = waiting.shift(); drill !== undefined; drill = waiting.shift()) await check(drill.name, drill.run)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return finish()
}
