import { taskStatuses, type TaskRecord } from '@crm/contract'
import { Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { QuickAdd } from '../../domain/tasks/quick-add.tsx'
import { DoneBox, DueMark, PriorityMark, TaskStatusMark } from '../../domain/tasks/task-marks.tsx'
import { inWords } from '../../records/field-words.ts'
import records from '../../records/record-table.module.css'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { TaskDialog } from './task-dialog.tsx'
import { projectChoicesQuery, tasksQuery } from './task-queries.ts'
import { readTaskSearch, taskPageSize, type TaskSearch } from './task-search.ts'

const route = getRouteApi('/console/tasks')
const typingPauseMs = 250

/** The list of tasks: one's own or all, those due first at the top; all that it is asked for stands in its address. */
export function TasksPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may, person } = useSession()
  const [isCreating, setCreating] = useState(false)
  const { data, error, isPlaceholderData, refetch } = useQuery(tasksQuery(search, person.id))
  const change = (next: Readonly<Record<string, unknown>>, replace = false) => void navigate({ search: readTaskSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  return (
    <Page
      title="Tasks"
      note={data === undefined ? ' ' : `${data.total.toLocaleString('en')} ${data.total === 1 ? 'task' : 'tasks'}`}
      actions={may('CREATE_TASK') && <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>New task</Button>}
    >
      {may('CREATE_TASK') && <QuickAdd projectId={search.projectId} />}
      <TaskFilters search={search} onChange={change} />
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush={data !== undefined && data.items.length > 0}>
          {data === undefined && <LoadingLines lines={8} label="Loading the tasks" />}
          {data?.items.length === 0 && <EmptyState title="No task here">What is written above becomes a task of yours.</EmptyState>}
          {data !== undefined && data.items.length > 0 && <TasksTable tasks={data.items} isStale={isPlaceholderData} />}
        </Panel>
      )}
      {data !== undefined && data.total > 0 && <Pager page={search.page ?? 1} pageSize={taskPageSize} total={data.total} onPage={(page) => change({ page })} />}
      <TaskDialog opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function TaskFilters({ search, onChange }: { readonly search: TaskSearch; onChange(next: Readonly<Record<string, unknown>>, replace?: boolean): void }) {
  const { may } = useSession()
  const { data: projects } = useQuery({ ...projectChoicesQuery, enabled: may('VIEW_PROJECT') })
  const searchSoon = useDebouncedCallback((text: string) => onChange({ search: text }, true), typingPauseMs)
  return (
    <search>
      <Group gap="xs">
        <SegmentedControl aria-label="Whose tasks" value={search.whose ?? 'mine'} onChange={(whose) => onChange({ whose })} data={[{ value: 'mine', label: 'My tasks' }, { value: 'all', label: 'All tasks' }]} />
        <TextInput type="search" aria-label="Search tasks" placeholder="Title or number" leftSection={<Icon name="search" size={16} />} defaultValue={search.search ?? ''} onChange={(event) => searchSoon(event.currentTarget.value)} />
        <NativeSelect aria-label="Status" value={search.status ?? ''} onChange={(event) => onChange({ status: event.currentTarget.value })} data={[{ value: '', label: 'Any status' }, ...taskStatuses.map((value) => ({ value, label: inWords(value) }))]} />
        {projects !== undefined && projects.length > 0 && (
          <NativeSelect aria-label="Project" value={search.projectId ?? ''} onChange={(event) => onChange({ projectId: event.currentTarget.value })} data={[{ value: '', label: 'Any project' }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]} />
        )}
      </Group>
    </search>
  )
}

function TasksTable({ tasks, isStale }: { readonly tasks: readonly TaskRecord[]; readonly isStale: boolean }) {
  const { may } = useSession()
  const people = usePeopleNames(tasks.map(({ assigneeId }) => assigneeId))
  return (
    <table className={tables.table} aria-label="Tasks" aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          <th scope="col"><span className={tables.spoken}>Done</span></th>
          <th scope="col">Task</th>
          <th scope="col">Due</th>
          <th scope="col" data-extra="true">Status</th>
          <th scope="col" data-extra="true">Priority</th>
          <th scope="col" data-extra="true">Assignee</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr key={task.id}>
            <td><DoneBox task={task} disabled={!may('UPDATE_TASK')} /></td>
            <td>
              <Link to="/tasks/$id" params={{ id: task.id }} className={records.name}>{task.title}</Link>
              <div className={tables.note}>{[`No. ${task.number}`, describeChecklist(task)].filter(Boolean).join(' · ')}</div>
            </td>
            <td><DueMark dueAt={task.dueAt} status={task.status} /></td>
            <td data-extra="true"><TaskStatusMark status={task.status} /></td>
            <td data-extra="true"><PriorityMark priority={task.priority} /></td>
            <td data-extra="true">{(task.assigneeId && people.get(task.assigneeId)) ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function describeChecklist({ checklist }: TaskRecord): string {
  return checklist.length === 0 ? '' : `${checklist.filter(({ isDone }) => isDone).length} of ${checklist.length} done`
}
