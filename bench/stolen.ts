import { readFileSync } from 'node:fs'

/** A figure, and how much of the machine was somewhere else meanwhile. */
export interface Watched {
  /** Share of the processors' time that their host gave to other machines, 0 to 1; always 0 where the system does not tell. */
  readonly stolen: number
}

/** From here on a figure tells more of the host than of what was measured. */
const stolenMax = 0.05
const attemptsMax = 3

/** Measures again, a few times at most, while the host takes the machine away; gives the calmest of the attempts. */
export async function calmly<T extends Watched>(measureOnce: () => Promise<T>): Promise<T> {
  let calmest = await measureOnce()
  for (let attempt = 1; attempt < attemptsMax && calmest.stolen > stolenMax; attempt += 1) {
    const next = await measureOnce()
    if (next.stolen < calmest.stolen) calmest = next
  }
  return calmest
}

/** Begins to watch; the function that it gives tells the share stolen since. */
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
