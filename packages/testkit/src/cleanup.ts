import { AsyncLocalStorage } from 'node:async_hooks'
import { allowedToStay } from './leftovers.ts'

let cleanups = new AsyncDisposableStack()
const outlivesFiles = new AsyncLocalStorage<true>()

/** Runs a function after the test file, the latest first and after the file's own hooks. A test may call it as well, other than afterAll. */
export function afterThisFile(cleanUp: () => Promise<unknown> | void): void {
  if (!outlivesFiles.getStore()) cleanups.defer(async () => void (await cleanUp()))
}

/**
 * Starts something on first use, and returns the same for every test file that this process runs.
 *
 * It ends with the process instead of the file: processes and browsers notice the end, and databases end with their server.
 */
export function onceForAllFiles<Started>(start: () => Promise<Started>): () => Promise<Started> {
  let started: Promise<Started> | undefined
  return async () => {
    started ??= outlivesFiles.run(true, () => allowedToStay(start))
    try {
      return await started
    } catch (error) {
      started = undefined
      throw error
    }
  }
}

/** Runs the clean-up of the test file; the next file in this process begins with none. */
export async function cleanUpAfterFile(): Promise<void> {
  const ofThisFile = cleanups
  cleanups = new AsyncDisposableStack()
  await ofThisFile.disposeAsync()
}
