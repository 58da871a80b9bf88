import type { TaskRecord } from '@crm/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import { QuickAdd } from '../../domain/tasks/new-task.tsx'
import { DoneBox } from '../../domain/tasks/task-marks.tsx'
import { groupIn, conditionsOf } from '../../records/list/list-address.ts'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/tasks')

const words = {
  title: t('common.tasks'),
  kind: 'TASK',
  one: t('tasks.task2'),
  many: t('kinds.TASK.many'),
  searched: t('tasks.titleOrNumber'),
  origin: t('tasks.nothingToDoAddA'),
}

/** The list of tasks, which opens with the person's own open ones, the earliest due date first. */
export function TasksPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const ofProject = conditionsOf(groupIn(search.f) ?? { and: [] }).find(({ field }) => field === 'projectId')?.value
  return (
    <WorkList
      entityType="TASK"
      words={words}
      address={search}
      above={may('CREATE_TASK') && <QuickAdd projectId={typeof ofProject === 'string' ? ofProject : undefined} />}
      lead={(record) => <DoneBox task={record as unknown as TaskRecord} disabled={!may('UPDATE_TASK')} />}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
