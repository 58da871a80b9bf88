import { within } from '@crm/runtime'

/** Some work took longer than its deadline. */
class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`Not done within ${deadlineMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** Waits for work, but no longer than the deadline; after it, the signal tells the work to stop, and its outcome is ignored. */
export async function withinDeadline<T>(deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  return within(deadlineMs, work(late.signal), () => {
    const error = new DeadlineError(deadlineMs)
    late.abort(error)
    throw error
  })
}
