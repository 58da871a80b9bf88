/** The number of backups to keep for each span of time. */
export interface Kept {
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

/** A backup as pruning sees it. */
export interface Dated {
  readonly id: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly verifiedAt: string | null
}

/**
 * Returns the backups that are no longer needed. A backup is needed when it is the newest of one of the latest days,
 * weeks or months with a backup, or the newest verified one.
 */
export function superfluous(backups: readonly Dated[], kept: Kept): readonly string[] {
  const newestFirst = backups.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const stays = new Set([
    ...newestOf(newestFirst, kept.daily, dayOf),
    ...newestOf(newestFirst, kept.weekly, weekOf),
    ...newestOf(newestFirst, kept.monthly, monthOf),
  ])
  const verified = newestFirst.find(({ verifiedAt }) => verifiedAt !== null)
  if (verified) stays.add(verified.id)
  return newestFirst.filter(({ id }) => !stays.has(id)).map(({ id }) => id)
}

function newestOf(newestFirst: readonly Dated[], count: number, spanOf: (createdAt: string) => string): string[] {
  const newest = new Map<string, string>()
  for (const { id, createdAt } of newestFirst) {
    const span = spanOf(createdAt)
    if (!newest.has(span)) newest.set(span, id)
  }
  return [...newest.values()].slice(0, count)
}

const dayOf = (createdAt: string): string => createdAt.slice(0, 10)
const monthOf = (createdAt: string): string => createdAt.slice(0, 7)
const weekOf = (createdAt: string): string => {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(dayOf(createdAt))
  return `${yearOfWeek}-${weekOfYear}`
}
