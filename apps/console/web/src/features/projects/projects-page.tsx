import { projectStatuses, type ProjectRecord } from '@crm/contract'
import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { inWords } from '../../records/field-words.ts'
import { SearchField } from '../../records/search-field.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { ProjectDialog } from './project-dialog.tsx'
import { ProjectStatusMark } from './project-marks.tsx'
import { projectsQuery } from './project-queries.ts'
import { projectPageSize, readProjectSearch } from './project-search.ts'

const route = getRouteApi('/console/projects')

/** The list of projects; all that it is asked for stands in its address. */
export function ProjectsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const { data, error, isPlaceholderData, refetch } = useQuery(projectsQuery(search))
  const change = (next: Readonly<Record<string, unknown>>, replace = false) => void navigate({ search: readProjectSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  const searchBox = useRef<HTMLInputElement>(null)
  return (
    <Page title="Projects" actions={may('CREATE_PROJECT') && <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>New project</Button>}>
      <search>
        <Group gap="xs">
          <SearchField label="Search projects" placeholder="Name or number" value={search.search ?? ''} searchBox={searchBox} onSearch={(text) => change({ search: text }, true)} />
          <NativeSelect aria-label="Status" value={search.status ?? ''} onChange={(event) => change({ status: event.currentTarget.value })} data={[{ value: '', label: 'Any status' }, ...projectStatuses.map((value) => ({ value, label: inWords(value) }))]} />
        </Group>
      </search>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush={data !== undefined && data.items.length > 0}>
          {data === undefined && <LoadingLines lines={8} label="Loading the projects" />}
          {data?.items.length === 0 && <EmptyState title="No project here">A project gathers tasks, people and files around one aim.</EmptyState>}
          {data !== undefined && data.items.length > 0 && <ProjectsTable projects={data.items} isStale={isPlaceholderData} />}
        </Panel>
      )}
      {data !== undefined && data.total > 0 && <Pager page={search.page ?? 1} pageSize={projectPageSize} total={data.total} onPage={(page) => change({ page })} />}
      <ProjectDialog opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

function ProjectsTable({ projects, isStale }: { readonly projects: readonly ProjectRecord[]; readonly isStale: boolean }) {
  const people = usePeopleNames(projects.map(({ ownerId }) => ownerId))
  return (
    <table className={tables.table} aria-label="Projects" aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          <th scope="col">Progress</th>
          <th scope="col" data-extra="true">Ends</th>
          <th scope="col" data-extra="true">Owner</th>
          <th scope="col" data-extra="true">Members</th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <tr key={project.id}>
            <td>
              <Link to="/projects/$id" params={{ id: project.id }} className={tables.title}>{project.name}</Link>
              <div className={tables.note}>{`No. ${project.number}`}</div>
            </td>
            <td><ProjectStatusMark status={project.status} /></td>
            <td>{`${project.progress} %`}</td>
            <td data-extra="true">{project.endDate === null ? '–' : describeDay(project.endDate, 'UTC')}</td>
            <td data-extra="true">{(project.ownerId && people.get(project.ownerId)) ?? '–'}</td>
            <td data-extra="true">{project.memberIds.length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
