import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'

const route = getRouteApi('/console/projects')

const words = {
  title: 'Projects',
  one: 'project',
  many: 'projects',
  searched: 'Name or number',
  origin: 'Add your first project.',
}

/** The list of projects. */
export function ProjectsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="PROJECT"
      words={words}
      address={search}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
