import { taskTypes, type TaskRecord } from '@crm/contract'
import { Checkbox } from '@mantine/core'
import { describeInstant } from '../../base/moments.ts'
import { useTaskStatus } from '../../records/completing.ts'
import { inWords } from '../../records/field-words.ts'
import { useNow } from '../../shell/age.tsx'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { Pill, type Tone } from '../../shell/pill.tsx'
import classes from './record-tasks.module.css'
import { t } from '../../base/texts.ts'

const statusTones: Readonly<Record<TaskRecord['status'], Tone>> = {
  TODO: 'neutral',
  IN_PROGRESS: 'blue',
  IN_REVIEW: 'amber',
  DONE: 'green',
  CANCELLED: 'neutral',
}

/** The status of a task. */
export function TaskStatusMark({ status }: Pick<TaskRecord, 'status'>) {
  return <Pill tone={statusTones[status]}>{inWords(status)}</Pill>
}

const typeIcons: Readonly<Record<TaskRecord['type'], IconName>> = {
  CALL: 'phone',
  EMAIL: 'mail',
  MEETING: 'people',
  TODO: 'tasks',
}

/** What kind of work a task is, as an icon with a name. */
export function TaskTypeMark({ type }: Pick<TaskRecord, 'type'>) {
  return (
    <span role="img" aria-label={inWords(type)} title={inWords(type)} className={classes.type}>
      <Icon name={typeIcons[type]} size={16} />
    </span>
  )
}

/** The choices of a type, each with its icon. */
export const taskTypeChoices = taskTypes.map((type) => ({ value: type, label: inWords(type) }))

/** The icon of a type. */
export function TaskTypeIcon({ type }: Pick<TaskRecord, 'type'>) {
  return <Icon name={typeIcons[type]} size={16} />
}

/** The due date of a task; a late task shows that it is late. */
export function DueMark({ dueAt, status }: Pick<TaskRecord, 'dueAt' | 'status'>) {
  const now = useNow()
  if (dueAt === null) return '–'
  const isLate = status !== 'DONE' && status !== 'CANCELLED' && Date.parse(dueAt) < now
  return isLate ? (
    <Pill tone="red">{t('Overdue: {dueAt}', { dueAt: describeInstant(dueAt) })}</Pill>
  ) : (
    describeInstant(dueAt)
  )
}

/** Checks a task off, or undoes that. */
export function DoneBox({
  task,
  disabled,
}: {
  readonly task: Pick<TaskRecord, 'id' | 'title' | 'status'>
  readonly disabled: boolean
}) {
  const isDone = task.status === 'DONE'
  const change = useTaskStatus()
  return (
    <Checkbox
      radius="xl"
      size="xs"
      aria-label={t('Complete {title}', { title: task.title })}
      checked={change.isPending ? !isDone : isDone}
      disabled={disabled || change.isPending}
      onChange={() => change.mutate({ id: task.id, status: isDone ? 'TODO' : 'DONE' })}
    />
  )
}
