/** Some work took longer than its deadline. */
export class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`Not done within ${deadlineMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** Waits for work, but no longer than the deadline; after it, the signal tells the work to stop, and its outcome is ignored. */
export async function withinDeadline<T>(deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new DeadlineError(deadlineMs)
    late.abort(error)
    reject(error)
  }, deadlineMs)
  try {
    return await Promise.race([work(late.signal), over])
  } finally {
    clearTimeout(timer)
  }
}
