import { taskPriorities, taskStatuses, type TaskRecord } from '@crm/contract'
import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { useDirectory } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { inWords } from '../../records/field-words.ts'
import { changedText, readFields, textOf } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { projectChoicesQuery } from './task-queries.ts'

interface TaskDialogProps {
  /** The task to change; a new one without it. */
  readonly task?: TaskRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new task, or for changes of one. */
export function TaskDialog({ task, opened, onClose }: TaskDialogProps) {
  const navigate = useNavigate()
  const { may, person } = useSession()
  const people = useDirectory()
  const { data: projects = [] } = useQuery({ ...projectChoicesQuery, enabled: opened && may('VIEW_PROJECT') })
  const assigneeId = task ? task.assigneeId : person.id
  return (
    <RecordForm
      entityType="TASK"
      record={task}
      opened={opened}
      save={(form, shown) => (shown ? changeTask(shown, form) : addTask(form))}
      open={(id) => navigate({ to: '/tasks/$id', params: { id } })}
      onClose={onClose}
    >
      {({ errors }) => (
        <>
          <TextInput
            name="title"
            label="Title"
            required
            data-autofocus
            maxLength={500}
            defaultValue={task?.title}
            error={errors['title']}
            autoComplete="off"
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <NativeSelect
              name="status"
              label="Status"
              defaultValue={task?.status ?? 'TODO'}
              data={taskStatuses.map((value) => ({ value, label: inWords(value) }))}
            />
            <NativeSelect
              name="priority"
              label="Priority"
              defaultValue={task?.priority ?? 'NORMAL'}
              data={taskPriorities.map((value) => ({ value, label: inWords(value) }))}
            />
            <TextInput
              name="startAt"
              label="Start"
              type="datetime-local"
              defaultValue={localTime(task?.startAt)}
              error={errors['startAt']}
            />
            <TextInput
              name="dueAt"
              label="Due"
              type="datetime-local"
              defaultValue={localTime(task?.dueAt)}
              error={errors['dueAt']}
            />
            <NativeSelect
              name="assigneeId"
              label="Assignee"
              defaultValue={assigneeId ?? ''}
              error={errors['assigneeId']}
              data={choices('Nobody', people.length > 0 ? people : [person], assigneeId)}
            />
            <NativeSelect
              name="projectId"
              label="Project"
              defaultValue={task?.projectId ?? ''}
              error={errors['projectId']}
              data={choices('None', projects, task?.projectId)}
            />
            <TextInput
              name="estimateMin"
              label="Estimate in minutes"
              type="number"
              min={0}
              defaultValue={textOf(task?.estimateMin)}
              error={errors['estimateMin']}
            />
          </SimpleGrid>
          <Textarea
            name="description"
            label="Description"
            rows={4}
            defaultValue={task?.description ?? ''}
            error={errors['description']}
          />
        </>
      )}
    </RecordForm>
  )
}

/** What can be chosen; what is chosen already can be kept, even by a person who does not see it. */
function choices(
  none: string,
  known: readonly { readonly id: string; readonly name: string }[],
  chosen: string | null | undefined,
) {
  const unseen = chosen && !known.some(({ id }) => id === chosen) ? [{ value: chosen, label: 'As it is' }] : []
  return [{ value: '', label: none }, ...unseen, ...known.map(({ id, name }) => ({ value: id, label: name }))]
}

/** An instant as a field for local time shows it. */
function localTime(instant: string | null | undefined): string {
  if (!instant) return ''
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function addTask(form: FormData) {
  const { title, ...rest } = bodyOf({}, form)
  return crm.tasks.create({ body: { title: title ?? '', ...rest } })
}

function changeTask(task: TaskRecord, form: FormData) {
  return crm.tasks.update({ params: { id: task.id }, body: { ...bodyOf(task, form), version: task.version } })
}

function bodyOf(task: Partial<TaskRecord>, form: FormData) {
  const { title, ...text } = changedText(task, readFields(form, ['title', 'description', 'assigneeId', 'projectId']))
  const status = taskStatuses.find((known) => known === form.get('status'))
  const priority = taskPriorities.find((known) => known === form.get('priority'))
  const { estimateMin } = changedText(task, readFields(form, ['estimateMin']))
  return {
    ...text,
    ...(title === undefined ? {} : { title: title ?? '' }),
    ...(status === task.status ? {} : { status }),
    ...(priority === task.priority ? {} : { priority }),
    ...(estimateMin === undefined ? {} : { estimateMin: estimateMin === null ? null : Number(estimateMin) }),
    ...changedTimes(task, form),
  }
}

/** The fields show minutes; a time that shows as it did keeps its seconds. */
function changedTimes(task: Partial<TaskRecord>, form: FormData): { startAt?: string | null; dueAt?: string | null } {
  const times = Object.entries(readFields(form, ['startAt', 'dueAt'])) as ['startAt' | 'dueAt', string][]
  return Object.fromEntries(
    times
      .filter(([field, text]) => text !== localTime(task[field]))
      .map(([field, text]) => [field, text === '' ? null : new Date(text).toISOString()]),
  )
}
