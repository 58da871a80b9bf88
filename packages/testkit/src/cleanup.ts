import { AsyncLocalStorage } from 'node:async_hooks'

let cleanups = new AsyncDisposableStack()
const outlivesFiles = new AsyncLocalStorage<true>()

/** Runs something after the test file, the latest first and after the file's own hooks. */
export function afterThisFile(cleanUp: () => Promise<unknown> | void): void {
  if (!outlivesFiles.getStore()) cleanups.defer(async () => void (await cleanUp()))
}

/**
 * Starts something the first time it is asked for, and gives the same to every test file that this process runs.
 *
 * It ends with the process instead of the file: processes and browsers notice that, and databases end with their server.
 */
export function onceForAllFiles<Started>(start: () => Promise<Started>): () => Promise<Started> {
  let started: Promise<Started> | undefined
  return async () => {
    started ??= outlivesFiles.run(true, start)
    try {
      return await started
    } catch (error) {
      started = undefined
      throw error
    }
  }
}

/** Runs what the test file left to be done; the next file in this process begins with nothing. */
export async function cleanUpAfterFile(): Promise<void> {
  const ofThisFile = cleanups
  cleanups = new AsyncDisposableStack()
  await ofThisFile.disposeAsync()
}
