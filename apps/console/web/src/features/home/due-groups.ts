import { dayAfter, instantOf, today } from '../../base/moments.ts'
import { t } from '../../base/texts.ts'

interface Due {
  readonly dueAt: string | null
}

const groups = ['overdue', 'today', 'soon'] as const
type DueGroup = (typeof groups)[number]

/** The headings of the groups. */
export const dueGroupNames: Readonly<Record<DueGroup, string>> = {
  overdue: t('Overdue', { context: 'tasks' }),
  today: t('Today'),
  soon: t('Next 7 days'),
}

/** Groups tasks by due date, the most urgent ones first, with days in the zone of the account. */
export function byDue<Task extends Due>(tasks: readonly Task[], now: number): (readonly [DueGroup, readonly Task[]])[] {
  const endOfDay = Date.parse(instantOf(dayAfter(today(now), 1)))
  const groupOf = ({ dueAt }: Task): DueGroup => {
    const at = dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt)
    if (at < now) return 'overdue'
    return at < endOfDay ? 'today' : 'soon'
  }
  const found = Map.groupBy(tasks, groupOf)
  return groups.flatMap((group) => {
    const some = found.get(group)
    return some === undefined ? [] : [[group, some] as const]
  })
}
