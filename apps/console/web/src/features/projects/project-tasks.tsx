import type { TaskRecord } from '@crm/contract'
import { Button, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { QuickAdd } from '../../domain/tasks/quick-add.tsx'
import { DoneBox, DueMark, TaskStatusMark } from '../../domain/tasks/task-marks.tsx'
import records from '../../records/record-table.module.css'
import { Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'

const shownAtOnce = 20

/** The tasks of a project, those due first at the top; the key begins as that of all tasks, so that a change of one shows here. */
const projectTasksQuery = (projectId: string, page: number) => queryOptions({
  queryKey: ['tasks', 'of-project', projectId, page],
  queryFn: ({ signal }) => crm.tasks.list({ query: { projectId, page, pageSize: shownAtOnce, sortBy: 'dueAt', sortOrder: 'asc' }, signal }),
  placeholderData: (last) => last,
})

/** What is to be done in a project; nothing for a person who may not see tasks. */
export function ProjectTasks({ projectId }: { readonly projectId: string }) {
  const { may } = useSession()
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...projectTasksQuery(projectId, page), enabled: may('VIEW_TASK') })
  if (!may('VIEW_TASK')) return null
  const all = <Button variant="default" size="xs" renderRoot={(props) => <Link to="/tasks" search={{ whose: 'all', projectId }} {...props} />}>All of them</Button>
  return (
    <Panel title="Tasks" note={data && data.total > 0 ? `${data.total.toLocaleString('en')} in this project` : undefined} actions={data && data.total > 0 ? all : undefined}>
      {may('CREATE_TASK') && <QuickAdd projectId={projectId} />}
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines label="Loading the tasks" />}
      {data?.total === 0 && <Text size="sm" c="dimmed" mt="sm">Nothing to do yet.</Text>}
      {data !== undefined && data.items.length > 0 && <TasksTable tasks={data.items} isStale={isPlaceholderData} />}
      {data !== undefined && data.total > shownAtOnce && <Pager page={page} pageSize={shownAtOnce} total={data.total} onPage={setPage} />}
    </Panel>
  )
}

function TasksTable({ tasks, isStale }: { readonly tasks: readonly TaskRecord[]; readonly isStale: boolean }) {
  const { may } = useSession()
  const people = usePeopleNames(tasks.map(({ assigneeId }) => assigneeId))
  return (
    <table className={tables.table} aria-label="Tasks" data-stale={isStale}>
      <thead><tr><th scope="col"><span className={tables.spoken}>Done</span></th><th scope="col">Task</th><th scope="col">Due</th><th scope="col" data-extra>Status</th></tr></thead>
      <tbody>
        {tasks.map((task) => (
          <tr key={task.id}>
            <td><DoneBox task={task} disabled={!may('UPDATE_TASK')} /></td>
            <td>
              <Link to="/tasks/$id" params={{ id: task.id }} className={records.name}>{task.title}</Link>
              <div className={tables.note}>{[`No. ${task.number}`, task.assigneeId && people.get(task.assigneeId)].filter(Boolean).join(' · ')}</div>
            </td>
            <td><DueMark dueAt={task.dueAt} status={task.status} /></td>
            <td data-extra><TaskStatusMark status={task.status} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
