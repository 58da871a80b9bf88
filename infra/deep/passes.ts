/** A run of `npm run test:deep` in which all passed. */
export interface Pass {
  /** Such as `2026-11-27`. */
  readonly day: string
  readonly commit: string
  readonly seed: string
}

const kept = 20

/** Adds a pass to the text of the record, newest first; the oldest rows go. */
export function addPass(record: string, { day, commit, seed }: Pass): string {
  const { head, rows } = partsOf(record)
  return [...head, `| ${day} | ${commit} | ${seed} |`, ...rows].slice(0, head.length + kept).join('\n') + '\n'
}

/** Returns when all passed last, as the end of a sentence. */
export function lastPass(record: string): string {
  const [, day, commit] = /^\| (\S+) \| (\S+) \|/.exec(partsOf(record).rows[0] ?? '') ?? []
  return day === undefined ? 'never' : `on ${day} at ${commit}`
}

/** The head of the record ends with the line below the names of its columns. */
function partsOf(record: string): { readonly head: readonly string[]; readonly rows: readonly string[] } {
  const lines = record.trimEnd().split('\n')
  const end = lines.findIndex((line) => line.startsWith('|---')) + 1
  return { head: lines.slice(0, end), rows: lines.slice(end) }
}
