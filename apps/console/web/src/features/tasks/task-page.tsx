import type { TaskRecord } from '@crm/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { DoneBox, DueMark, PriorityMark, TaskStatusMark } from '../../domain/tasks/task-marks.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { HistoryEntries } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { Checklist } from './checklist.tsx'
import { TaskDialog } from './task-dialog.tsx'
import { subtasksQuery, taskActivityQuery, taskQuery } from './task-queries.ts'

const route = getRouteApi('/console/tasks/$id')

/** A task: what it is, its checklist, what is said about it and what happened to it. */
export function TaskPage() {
  const { id } = route.useParams()
  const reading = useQuery(taskQuery(id))
  return (
    <WithRecord noun="task" back={<BackToTasks />} reading={reading}>
      {(task) => <KnownTask key={id} task={task} />}
    </WithRecord>
  )
}

function BackToTasks() {
  return (
    <BackLink to="/tasks" search={{}}>
      Tasks
    </BackLink>
  )
}

function KnownTask({ task }: { readonly task: TaskRecord }) {
  const { may } = useSession()
  const record = { entityType: 'TASK', entityId: task.id } as const
  return (
    <RecordPage
      record={record}
      title={task.title}
      note={`No. ${task.number}`}
      back={<BackToTasks />}
      actions={<TaskActions task={task} />}
      main={
        <>
          <Panel title="Details">
            <TaskFacts task={task} />
          </Panel>
          <Panel title="Checklist" note={checklistNote(task)}>
            <Checklist task={task} mayChange={may('UPDATE_TASK')} />
          </Panel>
        </>
      }
      aside={
        <>
          <Subtasks task={task} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
      history={
        <Panel title="What happened">
          <TaskHistory id={task.id} />
        </Panel>
      }
    />
  )
}

function checklistNote({ checklist }: TaskRecord): string | undefined {
  return checklist.length === 0
    ? undefined
    : `${checklist.filter(({ isDone }) => isDone).length} of ${checklist.length} done`
}

function TaskFacts({ task }: { readonly task: TaskRecord }) {
  const { may } = useSession()
  const people = usePeopleNames([task.ownerId, task.assigneeId, ...task.memberIds])
  const project = useRecordName('PROJECT', may('VIEW_PROJECT') ? task.projectId : null)
  const nameOf = (id: string | null) => (id !== null && people.get(id)) || null
  const facts: (readonly [string, ReactNode])[] = [
    ['Done', <DoneBox key="done" task={task} disabled={!may('UPDATE_TASK')} />],
    ['Status', <TaskStatusMark key="status" status={task.status} />],
    ['Priority', <PriorityMark key="priority" priority={task.priority} />],
    ['Due', task.dueAt && <DueMark key="due" dueAt={task.dueAt} status={task.status} />],
    ['Start', task.startAt && describeInstant(task.startAt)],
    ['Completed', task.completedAt && describeInstant(task.completedAt)],
    ['Estimate', task.estimateMin === null ? null : `${task.estimateMin} min`],
    ['Assignee', nameOf(task.assigneeId)],
    ['Owner', nameOf(task.ownerId)],
    ...(task.memberIds.length > 0
      ? [['Members', task.memberIds.map((id) => people.get(id) ?? 'Somebody').join(', ')] as const]
      : []),
    [
      'Project',
      task.projectId && (
        <Link key="project" to="/projects/$id" params={{ id: task.projectId }}>
          {project ?? 'Project'}
        </Link>
      ),
    ],
    ...(task.parentTaskId === null ? [] : [['Part of', <ParentTask key="parent" id={task.parentTaskId} />] as const]),
    ...(task.tags.length > 0 ? [['Tags', task.tags.join(', ')] as const] : []),
    ['Description', task.description],
  ]
  return <Facts facts={facts} />
}

function ParentTask({ id }: { readonly id: string }) {
  const { data } = useQuery(taskQuery(id))
  return (
    <Link to="/tasks/$id" params={{ id }}>
      {data?.title ?? 'Another task'}
    </Link>
  )
}

function Subtasks({ task }: { readonly task: TaskRecord }) {
  const { data } = useQuery(subtasksQuery(task.id))
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title="Tasks below">
      <Facts
        facts={data.map((below) => [
          `No. ${below.number}`,
          <Link key={below.id} to="/tasks/$id" params={{ id: below.id }}>
            {below.status === 'DONE' ? `✓ ${below.title}` : below.title}
          </Link>,
        ])}
      />
    </Panel>
  )
}

function TaskHistory({ id }: { readonly id: string }) {
  return <HistoryEntries history={useInfiniteQuery(taskActivityQuery(id))} />
}

function TaskActions({ task }: { readonly task: TaskRecord }) {
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'TASK', entityId: task.id }}
      title={task.title}
      edit={(close) => <TaskDialog task={task} opened onClose={close} />}
      remove={() => crm.tasks.delete({ params: { id: task.id } })}
      leave={() => navigate({ to: '/tasks', search: {} })}
    />
  )
}
