import { type TaskRecord, taskStatuses } from '@crm/contract'
import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { QuickAdd } from '../../domain/tasks/quick-add.tsx'
import { DoneBox, DueMark, PriorityMark, TaskStatusMark } from '../../domain/tasks/task-marks.tsx'
import { ChoiceFilter } from '../../records/choice-filter.tsx'
import { inWords } from '../../records/field-words.ts'
import records from '../../records/record-table.module.css'
import { RowNote } from '../../records/record-table.tsx'
import { RecordForm } from '../../records/record-form.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { projectChoicesQuery, tasksQuery } from './task-queries.ts'
import { readTaskSearch, type TaskSearch } from './task-search.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/tasks')

/** The list of tasks, the person's own or all, with the earliest due date first; the address holds all of its parameters. */
export function TasksPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may, person } = useSession()
  const [isCreating, setCreating] = useState(false)
  const tasks = useQuery(tasksQuery(search, person.id))
  const { data } = tasks
  const people = usePeopleNames(data?.items.map(({ assigneeId }) => assigneeId))
  const change = (next: Readonly<Record<string, unknown>>, replace = false) =>
    void navigate({ search: readTaskSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  return (
    <Page
      title={t('common.tasks')}
      note={data === undefined ? ' ' : t('kinds.TASK.count', { count: data.total })}
      actions={
        may('CREATE_TASK') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            {t('tasks.newTask')}
          </Button>
        )
      }
    >
      {may('CREATE_TASK') && <QuickAdd projectId={search.projectId} />}
      <TaskFilters search={search} onChange={change} />
      <TablePanel
        label={t('common.tasks')}
        reading={tasks}
        page={search.page ?? 1}
        onPage={(page) => change({ page })}
        isCounted
        empty={<EmptyState title={t('tasks.noTasks')}>{t('tasks.nothingToDoAddA')}</EmptyState>}
        columns={[
          {
            label: t('common.done'),
            isSpoken: true,
            cell: (task) => <DoneBox task={task} disabled={!may('UPDATE_TASK')} />,
          },
          {
            label: t('tasks.task'),
            cell: (task) => (
              <>
                <Link to="/tasks/$id" params={{ id: task.id }} className={records.name}>
                  {task.title}
                </Link>
                <RowNote>
                  {[t('tasks.noNumber', { number: task.number }), describeChecklist(task)].filter(Boolean).join(' · ')}
                </RowNote>
              </>
            ),
          },
          { label: t('common.due'), cell: ({ dueAt, status }) => <DueMark dueAt={dueAt} status={status} /> },
          { label: t('common.status'), isExtra: true, cell: ({ status }) => <TaskStatusMark status={status} /> },
          { label: t('tasks.priority'), isExtra: true, cell: ({ priority }) => <PriorityMark priority={priority} /> },
          {
            label: t('tasks.assignee'),
            isExtra: true,
            cell: ({ assigneeId }) => (assigneeId && people.get(assigneeId)) ?? '–',
          },
        ]}
      />
      <RecordForm entityType="TASK" opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function TaskFilters({
  search,
  onChange,
}: {
  readonly search: TaskSearch
  onChange(next: Readonly<Record<string, unknown>>, replace?: boolean): void
}) {
  const { may } = useSession()
  const { data: projects } = useQuery({ ...projectChoicesQuery, enabled: may('VIEW_PROJECT') })
  return (
    <search>
      <Group gap="xs">
        <SegmentedControl
          aria-label={t('tasks.assignee')}
          value={search.whose ?? 'mine'}
          onChange={(whose) => onChange({ whose })}
          data={[
            { value: 'mine', label: t('tasks.myTasks') },
            { value: 'all', label: t('tasks.allTasks') },
          ]}
        />
        <SearchField
          label={t('tasks.searchTasks')}
          placeholder={t('tasks.titleOrNumber')}
          value={search.search ?? ''}
          onSearch={(text) => onChange({ search: text }, true)}
        />
        <ChoiceFilter
          label={t('common.status')}
          value={search.status}
          onChange={(value) => onChange({ status: value })}
          choices={taskStatuses.map((value) => ({ value, label: inWords(value) }))}
        />
        {projects !== undefined && projects.length > 0 && (
          <ChoiceFilter
            label={t('tasks.project')}
            value={search.projectId}
            onChange={(value) => onChange({ projectId: value })}
            choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </Group>
    </search>
  )
}

function describeChecklist({ checklist }: TaskRecord): string {
  return checklist.length === 0
    ? ''
    : t('tasks.lengthOfLength2Done', {
        length: checklist.filter(({ isDone }) => isDone).length,
        length2: checklist.length,
      })
}
