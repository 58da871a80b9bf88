import { existsSync, readFileSync } from 'node:fs'

const stat = '/proc/self/stat'
/** What Linux counts in, on every machine that Node runs on. */
const ticksPerSecond = 100

/** Returns the seconds of processor time of this process and of its ended children, with theirs; undefined where no file tells. */
export function processorSeconds(): number | undefined {
  if (!existsSync(stat)) return undefined
  // The name of the program may hold blanks and brackets.
  const fields = readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
  return ((user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0)) / ticksPerSecond
}

/** Begins to measure; the returned function tells the time since then, such as `12 s, 20 s of processor time`. */
export function startWatch(): () => string {
  const began = { at: Date.now(), processor: processorSeconds() }
  return () => {
    const took = `${Math.round((Date.now() - began.at) / 1_000)} s`
    const now = processorSeconds()
    return began.processor === undefined || now === undefined
      ? took
      : `${took}, ${Math.round(now - began.processor)} s of processor time`
  }
}
