/** Something took longer than it may. */
export class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`Not done within ${deadlineMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** Waits for work, but no longer than the deadline; the work is told by its signal and goes on unobserved. */
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
