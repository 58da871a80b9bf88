import type { TaskRecord } from '@crm/contract'
import { Button, Checkbox, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type Ref } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { useTaskStatus } from '../../records/completing.ts'
import { ForRecords } from '../../records/for-records.tsx'
import { stopAsking, useAskedHere } from '../../records/next-steps.ts'
import { addressOf, type RecordPlace } from '../../records/record-place.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import { openTasksQuery } from '../../records/record-queries.ts'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { useFocusReturn } from '../../shell/use-focus-return.ts'
import { TaskForm } from './new-task.tsx'
import classes from './record-tasks.module.css'
import { DueMark, TaskTypeMark } from './task-marks.tsx'
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
  // After the last task of an open deal, the person is asked for the next one.
  const isAsked = useAskedHere(record)
  const { data, error, refetch } = useQuery({ ...openTasksQuery(record), enabled: may('VIEW_TASK') })
  const isOpen = isAdding || isAsked
  const place = useFocusReturn<HTMLDivElement>(isOpen)
  if (!may('VIEW_TASK')) return null
  const next = data?.[0]
  const close = () => {
    setAdding(false)
    if (isAsked) stopAsking()
  }
  return (
    <Panel
      title={t('Next step')}
      actions={next === undefined && !isOpen && <AddTask onClick={() => setAdding(true)} />}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={1} />}
      {data !== undefined && next === undefined && !isOpen && (
        <p className={classes.none} data-missing={needsNext}>
          {t('No next step')}
        </p>
      )}
      {isOpen && <TaskForm record={record} onClose={close} />}
      <div ref={place} tabIndex={-1}>
        {next && <TaskLine task={next} record={record} />}
      </div>
    </Panel>
  )
}

/** Returns all tasks of a record as a tab of its page. */
export function tasksTab(record: RecordPlace): RecordTab {
  return {
    key: 'tasks',
    label: t('Tasks'),
    needs: ['VIEW_TASK'],
    content: <RecordTasks record={record} />,
    compose: [{ kind: 'task', label: t('Task'), needs: 'CREATE_TASK', content: <TaskComposer record={record} /> }],
  }
}

/** A form for one task after the other. */
function TaskComposer({ record }: { readonly record: RecordPlace }) {
  const [round, setRound] = useState(0)
  return <TaskForm key={round} record={record} isFocused={round > 0} onClose={() => setRound(round + 1)} />
}

function RecordTasks({ record }: { readonly record: RecordPlace }) {
  const [isAdding, setAdding] = useState(false)
  const adding = useFocusReturn<HTMLButtonElement>(isAdding)
  const { data, error, refetch } = useQuery(openTasksQuery(record))
  return (
    <Panel title={t('Tasks')} actions={!isAdding && <AddTask ref={adding} onClick={() => setAdding(true)} />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {isAdding && <TaskForm record={record} onClose={() => setAdding(false)} />}
      {data === undefined && error === null && <LoadingLines lines={3} label={t('Loading tasks')} />}
      {data?.length === 0 && !isAdding && (
        <Text size="sm" c="dimmed">
          {t('Nothing to do')}
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.tasks} aria-label={t('Tasks')}>
          {data.map((task) => (
            <li key={task.id}>
              <TaskLine task={task} record={record} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function AddTask({ ref, onClick }: { readonly ref?: Ref<HTMLButtonElement>; onClick(): void }) {
  const { may } = useSession()
  if (!may('CREATE_TASK')) return null
  return (
    <Button ref={ref} variant="default" size="xs" onClick={onClick}>
      {t('Add task')}
    </Button>
  )
}

interface TaskLineProps {
  readonly task: TaskRecord
  /** The record on whose page the task is shown. */
  readonly record?: RecordPlace
  /** Whether every reader knows whose task it is. */
  readonly isOwn?: boolean
}

/** A task in one line, which can be ticked there. */
export function TaskLine({ task, record, isOwn = false }: TaskLineProps) {
  const { may } = useSession()
  const people = usePeopleNames([task.assigneeId])
  const change = useTaskStatus()
  const assignee = task.assigneeId && people.get(task.assigneeId)
  return (
    <div className={classes.task}>
      <Checkbox
        aria-label={t('Complete {title}', { title: task.title })}
        checked={change.isPending}
        disabled={!may('UPDATE_TASK') || change.isPending}
        onChange={() => change.mutate({ id: task.id, status: 'DONE' })}
      />
      <div className={classes.about}>
        <span className={classes.named}>
          {task.type !== 'TODO' && <TaskTypeMark type={task.type} />}
          <Link {...addressOf({ entityType: 'TASK', entityId: task.id })}>{task.title}</Link>
        </span>
        <div className={classes.note}>
          {task.dueAt !== null && <DueMark dueAt={task.dueAt} status={task.status} />}
          {assignee && !isOwn && <span>{assignee}</span>}
          <ForRecords links={task.links} without={record} />
        </div>
      </div>
    </div>
  )
}
