/** A half-open period, [start, end), in milliseconds since 1970. */
export type Interval = { start: number; end: number }

/** Joins intervals that touch or overlap; the result is sorted and disjoint. */
export function union(intervals: Interval[]): Interval[] {
  const joined: Interval[] = []
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

/** Returns the parts of `whole` outside `taken`; both must be sorted and disjoint, as `union` returns them. */
export function subtract(whole: Interval[], taken: Interval[]): Interval[] {
  const left: Interval[] = []
  let cursor = 0
  for (const { start, end } of whole) {
    while (cursor < taken.length && taken[cursor]!.end <= start) cursor++
    let from = start
    for (let i = cursor; i < taken.length && taken[i]!.start < end; i++) {
      if (taken[i]!.start > from) left.push({ start: from, end: taken[i]!.start })
      from = taken[i]!.end
    }
    if (from < end) left.push({ start: from, end })
  }
  return left
}
