import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/activities')

const words = {
  title: t('common.activities'),
  kind: 'ACTIVITY',
  one: t('kinds.ACTIVITY.one'),
  many: t('kinds.ACTIVITY.many'),
  searched: t('common.subject'),
  origin: t('activities.loggedOnRecords'),
}

/** The calls, meetings, emails and notes of all records. They are logged on the records that they are about. */
export function ActivitiesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="ACTIVITY"
      words={words}
      address={search}
      creating="elsewhere"
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
