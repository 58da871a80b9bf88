let cleanups = new AsyncDisposableStack()

/** Runs something after the test file, the latest first and after the file's own hooks. */
export function afterThisFile(cleanUp: () => Promise<unknown> | void): void {
  cleanups.defer(async () => void (await cleanUp()))
}

/** Runs what the test file left to be done; the next file in this process begins with nothing. */
export async function cleanUpAfterFile(): Promise<void> {
  const ofThisFile = cleanups
  cleanups = new AsyncDisposableStack()
  await ofThisFile.disposeAsync()
}
