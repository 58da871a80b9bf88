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

/** Makes a counter whose windows begin with the first request. */
export function createMemoryWindow(windowMs: number, nowMs: () => number = () => performance.now()): MemoryWindow {
  // All windows have the same length, so the map's insertion order is the order of their ends.
  const windows = new Map<string, Window>()

  const forgetEnded = (atMs: number): void => {
    for (const [key, window] of windows) {
      if (window.endsAtMs > atMs) return
      windows.delete(key)
    }
  }

  return {
    count: (key) => {
      const atMs = nowMs()
      forgetEnded(atMs)
      const window = windows.get(key) ?? { used: 0, endsAtMs: atMs + windowMs }
      window.used += 1
      windows.set(key, window)
      return [window.used, window.endsAtMs - atMs]
    },
    forgive: (key) => {
      const window = windows.get(key)
      if (window && window.used > 0) window.used -= 1
    },
  }
}
