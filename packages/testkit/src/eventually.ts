import { vi } from 'vitest'

/** How long and how often a check is repeated, in milliseconds. */
export interface Patience {
  readonly timeout?: number
  readonly interval?: number
}

/** Far beyond what anything takes: what never comes fails, what is slow does not. */
const usualTimeoutMs = 30_000

/** Repeats a check until it no longer throws, and returns what it returned; fails with what it threw last. For 30 seconds by default. */
export function eventually<T>(check: () => T | Promise<T>, { timeout = usualTimeoutMs, interval = 50 }: Patience = {}) {
  return vi.waitFor(check, { timeout, interval })
}
