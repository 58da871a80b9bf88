import { productAgent } from '@crm/runtime'
import pRetry from 'p-retry'

/** Longest wait for an answer to begin, with all tries. Its body may take longer, as a large object does. */
const answerTimeoutMs = 60_000
const tries = { retries: 4, minTimeout: 100, randomize: true }

/** Services answer these when they are busy or fail for a moment. */
const passing = new Set([429, 500, 502, 503, 504])

class PassingFailure extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(`The bucket answered ${response.status}`)
    this.response = response
  }
}

/**
 * Sends a request to a bucket, and again when the service is unreachable or busy. Returns the last answer.
 *
 * Every request may be repeated: at worst an upload in parts is begun twice and one of them is never ended.
 */
export const steadyFetch: typeof fetch = async (input, init) => {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(new Error('The bucket did not answer in time')), answerTimeoutMs)
  const { signal } = waiting
  const headers = new Headers(init?.headers)
  headers.set('user-agent', productAgent)
  try {
    return await pRetry(
      async () => {
        const response = await fetch(input, { ...init, headers, signal })
        if (passing.has(response.status)) throw new PassingFailure(response)
        return response
      },
      { ...tries, signal },
    )
  } catch (error) {
    if (error instanceof PassingFailure) return error.response
    throw error
  } finally {
    clearTimeout(timer)
  }
}
