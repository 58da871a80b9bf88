import { afterAll } from 'vitest'

/** Returns a log for a service under test: it shows each line, and an answer that the contract does not declare fails the test file. */
export function serviceLog(): { write(line: string): void } {
  const undeclared: string[] = []
  afterAll(() => {
    if (undeclared.length > 0) throw new Error(undeclared.join('\n'))
  })
  return {
    write: (line) => {
      process.stdout.write(line)
      const { err } = JSON.parse(line) as { readonly err?: { readonly type: string; readonly message: string } }
      if (err?.type === 'UndeclaredAnswer') undeclared.push(err.message)
    },
  }
}
