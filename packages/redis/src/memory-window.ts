/** Counts requests of this process alone, for as long as Redis is away. */
export interface MemoryWindow {
  /** Counts one request; gives how many there were in the window and how long it still lasts, in milliseconds. */
  count(key: string): readonly [used: number, leftMs: number]
  /** Takes one counted request back. */
  forgive(key: string): void
}

interface Window {
  used: number
  readonly endsAtMs: number
}

/** Makes a counter whose windows begin with the first request. */
export function createMemoryWindow(windowMs: number, nowMs: () => number = () => performance.now()): MemoryWindow {
  // All windows are equally long, so the map's order of insertion is their order of ending.
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
