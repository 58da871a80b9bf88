import type { TaskRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { DoneBox, DueMark, PriorityMark, TaskStatusMark } from '../../domain/tasks/task-marks.tsx'
import { Comments } from '../../records/comments.tsx'
import { DeleteRecordDialog } from '../../records/delete-record-dialog.tsx'
import classes from '../../records/record-page.module.css'
import { HistoryEntries } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { Checklist } from './checklist.tsx'
import { TaskDialog } from './task-dialog.tsx'
import { subtasksQuery, taskActivityQuery, taskQuery } from './task-queries.ts'

const route = getRouteApi('/console/tasks/$id')

/** A task: what it is, its checklist, what is said about it and what happened to it. */
export function TaskPage() {
  const { id } = route.useParams()
  const { data: task, error, refetch } = useQuery(taskQuery(id))
  if (task !== undefined) return <KnownTask key={id} task={task} />
  return (
    <Page title={error === null ? 'Task' : 'This task cannot be shown'} above={<BackToTasks />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the task" /></Panel>}
    </Page>
  )
}

function BackToTasks() {
  return <Link to="/tasks" search={{}} className={classes.back}><Icon name="left" size={16} />Tasks</Link>
}

function KnownTask({ task }: { readonly task: TaskRecord }) {
  const client = useQueryClient()
  const { may } = useSession()
  const record = { entityType: 'TASK', entityId: task.id } as const
  return (
    <Page title={task.title} note={`No. ${task.number}`} above={<BackToTasks />} actions={<TaskActions task={task} />}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="Details"><TaskFacts task={task} /></Panel>
          <Panel title="Checklist" note={checklistNote(task)}><Checklist task={task} mayChange={may('UPDATE_TASK')} /></Panel>
          <Panel title="Comments"><Comments record={record} /></Panel>
        </div>
        <div className={classes.column}>
          <Subtasks task={task} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} onChange={() => client.invalidateQueries({ queryKey: ['tasks', 'activity', task.id] })} />
          <Panel title="What happened"><TaskHistory id={task.id} /></Panel>
        </div>
      </div>
    </Page>
  )
}

function checklistNote({ checklist }: TaskRecord): string | undefined {
  return checklist.length === 0 ? undefined : `${checklist.filter(({ isDone }) => isDone).length} of ${checklist.length} done`
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
    ...(task.memberIds.length > 0 ? [['Members', task.memberIds.map((id) => people.get(id) ?? 'Somebody').join(', ')] as const] : []),
    ['Project', task.projectId && <Link key="project" to="/projects/$id" params={{ id: task.projectId }}>{project ?? 'Project'}</Link>],
    ...(task.parentTaskId === null ? [] : [['Part of', <ParentTask key="parent" id={task.parentTaskId} />] as const]),
    ...(task.tags.length > 0 ? [['Tags', task.tags.join(', ')] as const] : []),
    ['Description', task.description],
  ]
  return <Facts facts={facts} />
}

function ParentTask({ id }: { readonly id: string }) {
  const { data } = useQuery(taskQuery(id))
  return <Link to="/tasks/$id" params={{ id }}>{data?.title ?? 'Another task'}</Link>
}

function Subtasks({ task }: { readonly task: TaskRecord }) {
  const { data } = useQuery(subtasksQuery(task.id))
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title="Tasks below">
      <Facts facts={data.map((below) => [`No. ${below.number}`, <Link key={below.id} to="/tasks/$id" params={{ id: below.id }}>{below.status === 'DONE' ? `✓ ${below.title}` : below.title}</Link>])} />
    </Panel>
  )
}

function TaskHistory({ id }: { readonly id: string }) {
  return <HistoryEntries history={useInfiniteQuery(taskActivityQuery(id))} />
}

function TaskActions({ task }: { readonly task: TaskRecord }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_TASK') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_TASK') && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      <TaskDialog task={task} opened={dialog === 'edit'} onClose={close} />
      <DeleteRecordDialog
        record={{ entityType: 'TASK', entityId: task.id }}
        title={task.title}
        opened={dialog === 'delete'}
        remove={() => crm.tasks.delete({ params: { id: task.id } })}
        leave={() => navigate({ to: '/tasks', search: {} })}
        onClose={close}
      />
    </>
  )
}
