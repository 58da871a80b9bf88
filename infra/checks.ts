import { seconds } from './local/progress.mjs'

/** The parts of a rehearsal, each printed with its outcome. */
export interface Checks {
  /** Runs a part and prints how it ended, with the sentence that it returns; returns whether it did well. */
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
        console.log(`✓ ${name}  ${seconds(at)}${seen ? `  ${seen}` : ''}`)
        return true
      } catch (error) {
        ended.failed++
        console.log(`✗ ${name}  ${seconds(at)}\n    ${(error as Error).message}`)
        return false
      }
    },
    finish: () => {
      console.log(`Took ${seconds(began)}.\n${ended.passed} passed, ${ended.failed} failed`)
      return ended.failed === 0 ? 0 : 1
    },
  }
}
