interface Due {
  readonly dueAt: string | null
}

const groups = ['Overdue', 'Today', 'Next 7 days'] as const

/** Groups tasks by due date, the most urgent ones first, with days in the browser's zone. */
export function byDue<Task extends Due>(tasks: readonly Task[], now: number): (readonly [string, readonly Task[]])[] {
  const endOfDay = new Date(now).setHours(24, 0, 0, 0)
  const groupOf = ({ dueAt }: Task): (typeof groups)[number] => {
    const at = dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt)
    if (at < now) return 'Overdue'
    return at < endOfDay ? 'Today' : 'Next 7 days'
  }
  const found = Map.groupBy(tasks, groupOf)
  return groups.flatMap((name) => {
    const some = found.get(name)
    return some === undefined ? [] : [[name, some] as const]
  })
}
