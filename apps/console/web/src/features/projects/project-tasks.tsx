import type { TaskRecord } from '@crm/contract'
import { Button, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { QuickAdd } from '../../domain/tasks/new-task.tsx'
import { DoneBox, DueMark, TaskStatusMark } from '../../domain/tasks/task-marks.tsx'
import records from '../../records/record-table.module.css'
import { RecordTable, RowNote } from '../../records/record-table.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { addressOf, listOf } from '../../records/record-place.ts'
import { t } from '../../base/texts.ts'

const shownAtOnce = 20

/**
 * Reads the tasks of a project, with the earliest due date first. The key begins like the key of all tasks, so that a
 * change of a task shows here.
 */
const projectTasksQuery = (projectId: string, page: number) =>
  queryOptions({
    queryKey: ['tasks', 'of-project', projectId, page],
    queryFn: ({ signal }) =>
      crm.tasks.list({ query: { projectId, page, pageSize: shownAtOnce, sortBy: 'dueAt', sortOrder: 'asc' }, signal }),
    placeholderData: (last) => last,
  })

/** The tasks of a project; nothing for a person who may not see tasks. */
export function ProjectTasks({ projectId }: { readonly projectId: string }) {
  const { may } = useSession()
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...projectTasksQuery(projectId, page),
    enabled: may('VIEW_TASK'),
  })
  if (!may('VIEW_TASK')) return null
  const all = (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => <Link to={listOf('TASK')} search={{ view: 'all', projectId } as never} {...props} />}
    >
      {t('All of them')}
    </Button>
  )
  return (
    <Panel
      title={t('Tasks')}
      note={data && data.total > 0 ? t('{total, number} in this project', { total: data.total }) : undefined}
      actions={data && data.total > 0 ? all : undefined}
    >
      {may('CREATE_TASK') && <QuickAdd projectId={projectId} />}
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines label={t('Loading tasks')} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('Nothing to do')}
        </Text>
      )}
      {data !== undefined && data.items.length > 0 && <TasksTable tasks={data.items} isStale={isPlaceholderData} />}
      {data !== undefined && data.total > shownAtOnce && (
        <Pager page={page} pageSize={shownAtOnce} total={data.total} onPage={setPage} />
      )}
    </Panel>
  )
}

function TasksTable({ tasks, isStale }: { readonly tasks: readonly TaskRecord[]; readonly isStale: boolean }) {
  const { may } = useSession()
  const people = usePeopleNames(tasks.map(({ assigneeId }) => assigneeId))
  return (
    <RecordTable
      label={t('Tasks')}
      rows={tasks}
      isStale={isStale}
      columns={[
        {
          label: t('Done'),
          isSpoken: true,
          cell: (task) => <DoneBox task={task} disabled={!may('UPDATE_TASK')} />,
        },
        {
          label: t('Task'),
          cell: ({ id, title, number, assigneeId }) => (
            <>
              <Link {...addressOf({ entityType: 'TASK', entityId: id })} className={records.name}>
                {title}
              </Link>
              <RowNote>
                {[t('No. {number}', { number }), assigneeId && people.get(assigneeId)].filter(Boolean).join(' · ')}
              </RowNote>
            </>
          ),
        },
        { label: t('Due'), cell: ({ dueAt, status }) => <DueMark dueAt={dueAt} status={status} /> },
        { label: t('Status'), isExtra: true, cell: ({ status }) => <TaskStatusMark status={status} /> },
      ]}
    />
  )
}
