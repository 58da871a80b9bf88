import { readFileSync } from 'node:fs'

/** A figure, and the share of the machine's time that was unavailable during it. */
export interface Watched {
  /** The share of the processors' time that their host gave to other machines, 0 to 1; always 0 where the system does not report it. */
  readonly stolen: number
}

/** Above this share a figure says more about the host than about the measured code. */
const stolenMax = 0.05
const attemptsMax = 3

/** Measures again, a few times at most, while the host takes time from the machine; returns the calmest attempt. */
export async function calmly<T extends Watched>(measureOnce: () => Promise<T>): Promise<T> {
  let calmest = await measureOnce()
  for (let attempt = 1; attempt < attemptsMax && calmest.stolen > stolenMax; attempt += 1) {
    const next = await measureOnce()
    if (next.stolen < calmest.stolen) calmest = next
  }
  return calmest
}

/** Begins to watch; the returned function returns the share stolen since. */
export function watchStolen(): () => number {
  const before = processorTimes()
  return () => {
    const after = processorTimes()
    return (after.stolen - before.stolen) / Math.max(1, after.all - before.all)
  }
}

function processorTimes(): { readonly all: number; readonly stolen: number } {
  if (process.platform !== 'linux') return { all: 0, stolen: 0 }
  const times = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? []
  return { all: times.reduce((sum, ticks) => sum + ticks, 0), stolen: times[7] ?? 0 }
}
