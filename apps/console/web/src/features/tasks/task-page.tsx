import type { TaskRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { DoneBox } from '../../domain/tasks/task-marks.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { Checklist } from './checklist.tsx'
import { subtasksQuery, taskQuery } from './task-queries.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/tasks/$id')

/** A task: its facts, its checklist, its comments and its history. */
export function TaskPage() {
  const { id } = route.useParams()
  const reading = useQuery(taskQuery(id))
  return (
    <WithRecord noun={t('tasks.task2')} back={<BackToTasks />} reading={reading}>
      {(task) => <KnownTask key={id} task={task} />}
    </WithRecord>
  )
}

function BackToTasks() {
  return (
    <BackLink to="/tasks" search={addressOfList('TASK')}>
      {t('common.tasks')}
    </BackLink>
  )
}

function KnownTask({ task }: { readonly task: TaskRecord }) {
  const navigate = useNavigate()
  const { may } = useSession()
  const record = { entityType: 'TASK', entityId: task.id } as const
  return (
    <RecordPage
      record={record}
      title={task.title}
      note={t('tasks.noNumber', { number: task.number })}
      back={<BackToTasks />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/tasks', search: addressOfList('TASK') })}>
          <DoneBox task={task} disabled={!may('UPDATE_TASK')} />
        </RecordActions>
      }
      facts={<KeyFacts entityType="TASK" record={task} />}
      main={
        <Panel title={t('tasks.checklist')} note={checklistNote(task)}>
          <Checklist task={task} mayChange={may('UPDATE_TASK')} />
        </Panel>
      }
      tabs={[filesTab(record), documentsTab(record)]}
      aside={<Subtasks task={task} />}
    />
  )
}

function checklistNote({ checklist }: TaskRecord): string | undefined {
  return checklist.length === 0
    ? undefined
    : t('tasks.lengthOfLength2Done', {
        length: checklist.filter(({ isDone }) => isDone).length,
        length2: checklist.length,
      })
}

function Subtasks({ task }: { readonly task: TaskRecord }) {
  const { data } = useQuery(subtasksQuery(task.id))
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title={t('tasks.tasksBelow')}>
      <Facts
        facts={data.map((below) => [
          t('tasks.noNumber', { number: below.number }),
          <Link key={below.id} to="/tasks/$id" params={{ id: below.id }}>
            {below.status === 'DONE' ? `✓ ${below.title}` : below.title}
          </Link>,
        ])}
      />
    </Panel>
  )
}
