import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/projects')

const words = {
  title: t('common.projects'),
  kind: 'PROJECT',
  one: t('projects.project'),
  many: t('projects.projects'),
  searched: t('projects.nameOrNumber'),
  origin: t('projects.addYourFirstProject'),
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
