import { LRUCache } from 'lru-cache'

/** Counts requests of this process alone while Redis is unreachable. */
export interface MemoryWindow {
  /** Counts one request; returns the number of requests in the window and its remaining milliseconds. */
  count(key: string): readonly [used: number, leftMs: number]
  /** Uncounts one request. */
  forgive(key: string): void
}

interface Window {
  used: number
  readonly endsAtMs: number
}

/** The number of counted keys; the one that was counted longest ago is forgotten first. */
const windowsMax = 10_000

/** Makes a counter whose windows begin with the first request. */
export function createMemoryWindow(windowMs: number, nowMs: () => number = () => performance.now()): MemoryWindow {
  let made: LRUCache<string, Window> | undefined
  // It takes its whole memory at once, and most processes never need one.
  const kept = (): LRUCache<string, Window> => (made ??= new LRUCache({ max: windowsMax }))

  return {
    count: (key) => {
      const atMs = nowMs()
      const windows = kept()
      const known = windows.get(key)
      const window = known && known.endsAtMs > atMs ? known : { used: 0, endsAtMs: atMs + windowMs }
      window.used += 1
      windows.set(key, window)
      return [window.used, window.endsAtMs - atMs]
    },
    forgive: (key) => {
      const window = made?.get(key)
      if (window && window.used > 0) window.used -= 1
    },
  }
}
