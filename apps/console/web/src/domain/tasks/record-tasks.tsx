import type { TaskRecord } from '@crm/contract'
import { Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { crm } from '../../base/api.ts'
import { useDirectory, usePeopleNames } from '../../base/people.ts'
import { describeRefusal } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import { openTasksQuery } from '../../records/record-queries.ts'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { readDue } from './due-words.ts'
import classes from './record-tasks.module.css'
import { DueMark } from './task-marks.tsx'
import { t } from '../../base/texts.ts'

interface NextStepProps {
  readonly record: RecordPlace
  /** Whether a record without an open task counts as forgotten. */
  readonly needsNext?: boolean
}

/** The next step of a record; nothing for a person who may not see tasks. */
export function NextStep({ record, needsNext = false }: NextStepProps) {
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery({ ...openTasksQuery(record), enabled: may('VIEW_TASK') })
  if (!may('VIEW_TASK')) return null
  const next = data?.[0]
  const complete = (task: TaskRecord) => {
    // After the last task of an open deal, the person is asked for the next one.
    if (needsNext && data?.every(({ id }) => id === task.id)) setAdding(true)
  }
  return (
    <Panel
      title={t('tasks.nextStep')}
      actions={next === undefined && !isAdding && <AddTask onClick={() => setAdding(true)} />}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={1} />}
      {data !== undefined && next === undefined && !isAdding && (
        <p className={classes.none} data-missing={needsNext}>
          {t('common.noNextStep')}
        </p>
      )}
      {isAdding && <NewTask record={record} onClose={() => setAdding(false)} />}
      {next && <TaskLine task={next} onDone={() => complete(next)} />}
    </Panel>
  )
}

/** Returns all tasks of a record as a tab of its page. */
export function tasksTab(record: RecordPlace): RecordTab {
  return {
    key: 'tasks',
    label: t('common.tasks'),
    needs: ['VIEW_TASK'],
    content: <RecordTasks record={record} />,
    compose: [
      { label: t('tasks.task'), needs: 'CREATE_TASK', content: <TaskComposer record={record} />, command: 'task' },
    ],
  }
}

/** A form for one task after the other. */
function TaskComposer({ record }: { readonly record: RecordPlace }) {
  const [round, setRound] = useState(0)
  return <NewTask key={round} record={record} isFocused={false} onClose={() => setRound(round + 1)} />
}

function RecordTasks({ record }: { readonly record: RecordPlace }) {
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery(openTasksQuery(record))
  return (
    <Panel title={t('common.tasks')} actions={!isAdding && <AddTask onClick={() => setAdding(true)} />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {isAdding && <NewTask record={record} onClose={() => setAdding(false)} />}
      {data === undefined && error === null && <LoadingLines lines={3} label={t('tasks.loadingTasks')} />}
      {data?.length === 0 && !isAdding && (
        <Text size="sm" c="dimmed">
          {t('tasks.nothingToDo')}
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.tasks} aria-label={t('common.tasks')}>
          {data.map((task) => (
            <li key={task.id}>
              <TaskLine task={task} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function AddTask({ onClick }: { onClick(): void }) {
  const { may } = useSession()
  if (!may('CREATE_TASK')) return null
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('tasks.addTask')}
    </Button>
  )
}

interface TaskLineProps {
  readonly task: TaskRecord
  /** Whether every reader knows whose task it is. */
  readonly isOwn?: boolean
  onDone?(): void
}

/** A task in one line, which can be ticked there. */
export function TaskLine({ task, isOwn = false, onDone }: TaskLineProps) {
  const { may } = useSession()
  const client = useQueryClient()
  const people = usePeopleNames([task.assigneeId])
  const change = useMutation({
    mutationFn: (status: 'DONE' | 'TODO') => crm.tasks.update({ params: { id: task.id }, body: { status } }),
    onSuccess: (_data, status) => {
      if (status !== 'DONE') return
      onDone?.()
      notify(t('tasks.taskCompleted'), { label: t('common.undo'), run: () => change.mutate('TODO') })
    },
    onError: (error) => notify(describeRefusal(error).title),
    onSettled: () => refreshTasks(client, task.links),
  })
  const assignee = task.assigneeId && people.get(task.assigneeId)
  return (
    <div className={classes.task}>
      <Checkbox
        aria-label={t('tasks.completeTitle', { title: task.title })}
        checked={change.isPending}
        disabled={!may('UPDATE_TASK') || change.isPending}
        onChange={() => change.mutate('DONE')}
      />
      <div className={classes.about}>
        <Link to="/tasks/$id" params={{ id: task.id }}>
          {task.title}
        </Link>
        <div className={classes.note}>
          {task.dueAt !== null && <DueMark dueAt={task.dueAt} status={task.status} />}
          {assignee && !isOwn && <span>{assignee}</span>}
        </div>
      </div>
    </div>
  )
}

interface NewTaskProps {
  readonly record: RecordPlace
  /** Whether the form was asked for, so that typing can begin at once. */
  readonly isFocused?: boolean
  onClose(): void
}

function NewTask({ record, isFocused = true, onClose }: NewTaskProps) {
  const { person } = useSession()
  const directory = useDirectory()
  const client = useQueryClient()
  const [title, setTitle] = useState('')
  const [due, setDue] = useState('')
  const [now] = useState(() => Date.now())
  const [assigneeId, setAssigneeId] = useState<string | null>(person.id)
  const dueAt = due.trim() === '' ? null : readDue(due, now)
  const add = useMutation({
    mutationFn: () => crm.tasks.create({ body: { title, assigneeId, dueAt: dueAt ?? null, links: [record] } }),
    onSuccess: async () => {
      notify(t('tasks.taskCreated'))
      onClose()
      await refreshTasks(client, [record])
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '' && dueAt !== undefined && !add.isPending) add.mutate()
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  const people = directory.length > 0 ? directory : [person]
  return (
    <form onSubmit={submit} onKeyDown={leave} aria-label={t('tasks.newTask')} className={classes.form} noValidate>
      <TextInput
        label={t('tasks.taskTitle')}
        autoFocus={isFocused}
        maxLength={500}
        autoComplete="off"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextInput
        label={t('tasks.dueDate')}
        placeholder={t('tasks.tomorrow9Friday3d')}
        autoComplete="off"
        value={due}
        error={dueAt === undefined && t('tasks.writeADaySuchAs')}
        onChange={(event) => setDue(event.currentTarget.value)}
      />
      <Select
        label={t('tasks.assignee')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('tasks.clearAssignee') }}
        value={assigneeId}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setAssigneeId}
      />
      <RefusalAlert error={add.error} />
      <Group gap="xs">
        <Button type="submit" size="xs" loading={add.isPending} disabled={title.trim() === ''}>
          {t('tasks.createTask')}
        </Button>
        <Button variant="default" size="xs" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </Group>
    </form>
  )
}

/** A task shows in lists of tasks, in projects, and in the history of its records. */
function refreshTasks(client: ReturnType<typeof useQueryClient>, links: readonly RecordPlace[]) {
  const stale = ['tasks', 'projects', ...links.map(({ entityType }) => collectionOf(entityType))]
  return Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
