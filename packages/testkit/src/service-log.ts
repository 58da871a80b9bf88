import { afterAll } from 'vitest'
import { keepTail } from './evidence.ts'

const linesKept = 50

/** The lines of errors. */
const shown = /"level":"(?:error|fatal)"/

/**
 * Returns a log for a service under test: it shows errors, keeps the last lines for a test that fails, and an answer that the contract
 * does not declare fails the test file.
 */
export function serviceLog(): { write(line: string): void } {
  const undeclared: string[] = []
  const last: string[] = []
  keepTail('service', () => last.join(''))
  afterAll(() => {
    if (undeclared.length > 0) throw new Error(undeclared.join('\n'))
  })
  return {
    write: (line) => {
      last.push(line)
      if (last.length > linesKept) last.shift()
      if (!shown.test(line)) return
      process.stdout.write(line)
      const { err } = JSON.parse(line) as { readonly err?: { readonly type: string; readonly message: string } }
      if (err?.type === 'UndeclaredAnswer') undeclared.push(err.message)
    },
  }
}
