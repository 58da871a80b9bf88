import { taskTypes, type TaskRecord } from '@crm/contract'
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { crm } from '../../base/api.ts'
import { useDirectory } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { t } from '../../base/texts.ts'
import { refreshTasks } from '../../records/completing.ts'
import { useMayNotSee } from '../../records/may-not-see.ts'
import { stopAsking, type Asked } from '../../records/next-steps.ts'
import { useKind } from '../../records/record-kinds.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import { useNow } from '../../shell/age.tsx'
import { notify } from '../../shell/notices.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { readDue } from './due-words.ts'
import { taskTypeChoices, TaskTypeIcon } from './task-marks.tsx'
import classes from './record-tasks.module.css'
import { Dialog } from '../../shell/dialog.tsx'

interface NewTask {
  /** The record to which the task is linked. */
  readonly record?: RecordPlace | undefined
  readonly projectId?: string | undefined
  onAdded(): void
}

const noKind = { key: 'TASK', plural: '' }

/** The values of a new task while they are typed, and the function that creates it. */
function useNewTask({ record, projectId, onAdded }: NewTask) {
  const { person } = useSession()
  const directory = useDirectory()
  const client = useQueryClient()
  const [title, setTitle] = useState('')
  const [due, setDue] = useState('')
  const [type, setType] = useState<TaskRecord['type']>('TODO')
  const [assigneeId, setAssigneeId] = useState<string | null>(person.id)
  const tasks = useKind('TASK')
  const warning = useMayNotSee(tasks ?? noKind, assigneeId === null || tasks === undefined ? [] : [assigneeId])
  const now = useNow()
  const dueAt = due.trim() === '' ? null : readDue(due, now)
  const links = record ? [record] : []
  const add = useMutation({
    mutationFn: () =>
      crm.tasks.create({
        body: {
          title,
          type,
          assigneeId,
          dueAt: dueAt ?? null,
          ...(projectId && { projectId }),
          ...(record && { links }),
        },
      }),
    onSuccess: async () => {
      setTitle('')
      setDue('')
      setType('TODO')
      onAdded()
      await refreshTasks(client, links)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '' && dueAt !== undefined && !add.isPending) add.mutate()
  }
  return {
    add,
    submit,
    title: {
      maxLength: 500,
      autoComplete: 'off',
      value: title,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => setTitle(event.currentTarget.value),
    },
    due: {
      placeholder: t('tomorrow 9, friday, +3d'),
      autoComplete: 'off',
      value: due,
      error:
        dueAt === undefined &&
        t('“{typed}” is not a day. Write one such as “tomorrow 9”, “friday”, “31/12” or “+3d”.', { typed: due.trim() }),
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => setDue(event.currentTarget.value),
    },
    type: {
      value: type,
      data: taskTypeChoices,
      leftSection: <TaskTypeIcon type={type} />,
      onChange: (next: string | null) => setType(taskTypes.find((known) => known === next) ?? 'TODO'),
    },
    assignee: {
      searchable: true,
      clearable: true,
      clearButtonProps: { 'aria-label': t('Clear Assignee') },
      value: assigneeId,
      data: (directory.length > 0 ? directory : [person]).map(({ id, name }) => ({ value: id, label: name })),
      onChange: setAssigneeId,
      ...(warning !== undefined && { description: warning }),
    },
    button: { type: 'submit', loading: add.isPending, disabled: title.trim() === '' },
  } as const
}

interface TaskFormProps {
  readonly record: RecordPlace
  /** Whether the form was asked for, so that typing can begin at once. */
  readonly isFocused?: boolean
  onClose(): void
}

/** Asks for a task of a record. */
export function TaskForm({ record, isFocused = true, onClose }: TaskFormProps) {
  const { add, submit, title, due, type, assignee, button } = useNewTask({
    record,
    onAdded: () => {
      notify(t('Task created'))
      onClose()
    },
  })
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <form onSubmit={submit} onKeyDown={leave} aria-label={t('New task')} className={classes.form} noValidate>
      <TextInput label={t('Task title')} autoFocus={isFocused} data-autofocus={isFocused || undefined} {...title} />
      <Select label={t('Type of task')} {...type} />
      <TextInput label={t('Due date')} {...due} />
      <Select label={t('Assignee')} {...assignee} />
      <RefusalAlert error={add.error} />
      <Group gap="xs">
        <Button size="xs" {...button}>
          {t('Create task')}
        </Button>
        <Button variant="default" size="xs" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </Group>
    </form>
  )
}

/** Makes tasks from one line, one after the other. */
export function QuickAdd({ projectId }: { readonly projectId: string | undefined }) {
  const { add, submit, title, due, type, assignee, button } = useNewTask({
    projectId,
    onAdded: () => notify(t('Task created')),
  })
  return (
    <form onSubmit={submit} aria-label={t('Add a task')} noValidate>
      <div className={classes.quick}>
        <TextInput
          className={classes.quickTitle}
          aria-label={t('Task title')}
          placeholder={t('Add a task')}
          {...title}
        />
        <Select className={classes.quickType} aria-label={t('Type of task')} {...type} />
        <TextInput className={classes.quickPart} aria-label={t('Due date')} {...due} />
        <Select className={classes.quickPart} aria-label={t('Assignee')} {...assignee} />
        <Button variant="default" {...button}>
          {t('Add')}
        </Button>
      </div>
      <RefusalAlert error={add.error} />
    </form>
  )
}

/** Asks for the next step of a record whose last open task was completed somewhere else than on its page. */
export function NextStepDialog({ asked: { record, title } }: { readonly asked: Asked }) {
  return (
    <Dialog opened onClose={stopAsking} title={t('Next step: {title}', { title })}>
      <TaskForm key={record.entityId} record={record} onClose={stopAsking} />
    </Dialog>
  )
}
