import { afterAll } from 'vitest'

const cleanups = new AsyncDisposableStack()

// Registered when the test file imports the testkit: the hook of a file cannot be added later, from within a test.
afterAll(() => cleanups.disposeAsync())

/** Runs something after the test file, the latest first and after the file's own hooks. */
export function afterThisFile(cleanUp: () => Promise<unknown> | void): void {
  cleanups.defer(async () => void (await cleanUp()))
}
