import { projectStatuses } from '@crm/contract'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { ChoiceFilter } from '../../records/choice-filter.tsx'
import { inWords } from '../../records/field-words.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { RecordForm } from '../../records/record-form.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { ProjectStatusMark } from './project-marks.tsx'
import { projectsQuery } from './project-queries.ts'
import { readProjectSearch } from './project-search.ts'

const route = getRouteApi('/console/projects')

/** The list of projects; the address holds all of its parameters. */
export function ProjectsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const projects = useQuery(projectsQuery(search))
  const people = usePeopleNames(projects.data?.items.map(({ ownerId }) => ownerId))
  const change = (next: Readonly<Record<string, unknown>>, replace = false) =>
    void navigate({ search: readProjectSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  return (
    <Page
      title="Projects"
      actions={
        may('CREATE_PROJECT') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            New project
          </Button>
        )
      }
    >
      <search>
        <Group gap="xs">
          <SearchField
            label="Search projects"
            placeholder="Name or number"
            value={search.search ?? ''}
            onSearch={(text) => change({ search: text }, true)}
          />
          <ChoiceFilter
            label="Status"
            value={search.status}
            onChange={(value) => change({ status: value })}
            choices={projectStatuses.map((value) => ({ value, label: inWords(value) }))}
          />
        </Group>
      </search>
      <TablePanel
        label="Projects"
        reading={projects}
        page={search.page ?? 1}
        onPage={(page) => change({ page })}
        isCounted
        empty={
          <EmptyState title="No project here">A project gathers tasks, people and files around one aim.</EmptyState>
        }
        columns={[
          {
            label: 'Name',
            cell: ({ id, name, number }) => (
              <RowTitle note={`No. ${number}`}>
                <Link to="/projects/$id" params={{ id }}>
                  {name}
                </Link>
              </RowTitle>
            ),
          },
          { label: 'Status', cell: ({ status }) => <ProjectStatusMark status={status} /> },
          { label: 'Progress', cell: ({ progress }) => `${progress} %` },
          {
            label: 'Ends',
            isExtra: true,
            cell: ({ endDate }) => (endDate === null ? '–' : describeDay(endDate, 'UTC')),
          },
          { label: 'Owner', isExtra: true, cell: ({ ownerId }) => (ownerId && people.get(ownerId)) ?? '–' },
          { label: 'Members', isExtra: true, cell: ({ memberIds }) => memberIds.length },
        ]}
      />
      <RecordForm entityType="PROJECT" opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}
