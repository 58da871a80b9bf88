import type { CustomEntityRecord } from '@crm/contract'
import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { WithEntity } from './known-entity.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/records/$key')

/** The records of a custom entity. */
export function CustomRecordsPage() {
  const { key } = route.useParams()
  return <WithEntity entityKey={key}>{(entity) => <Records key={key} entity={entity} />}</WithEntity>
}

function Records({ entity: { entityType, labels } }: { readonly entity: CustomEntityRecord }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { singular, plural } = labels
  return (
    <WorkList
      entityType={entityType}
      words={{
        title: plural,
        one: singular,
        many: plural,
        searched: t('common.title'),
        origin: t('customEntities.addYourFirstSingular', { singular }),
      }}
      address={search}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
