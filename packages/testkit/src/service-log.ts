import { afterAll } from 'vitest'

/** Where the log of a service under test goes: each line is shown, and the test file fails when the service answered what its contract does not declare. */
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
