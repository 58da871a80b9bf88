import { setTimeout as waitMs } from 'node:timers/promises'

/** Waits for a while; returns false, at once, when the signal is aborted. Nothing of the wait stays with the signal. */
export async function pause(ms: number, stopped: AbortSignal): Promise<boolean> {
  return waitMs(ms, true, { signal: stopped }).catch((error: unknown) => {
    if (stopped.aborted) return false
    throw error
  })
}

/** Follows work until it ends, but no longer than for a while; then what `late` returns or throws is the outcome. */
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

/** Follows work until it ends, or until the signal is aborted: then its reason is thrown. Nothing of the wait stays with the signal. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
