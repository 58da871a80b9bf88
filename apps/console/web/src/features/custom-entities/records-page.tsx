import type { CustomEntityRecord } from '@crm/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ListAddress } from '../../records/list/list-address.ts'
import { WorkList } from '../../records/list/work-list.tsx'
import { WithEntity } from './known-entity.tsx'
import { t } from '../../base/texts.ts'

/** The records of a custom entity. */
export function CustomRecordsPage() {
  const { plural, key = plural } = useParams({ strict: false })
  return <WithEntity path={key ?? ''}>{(entity) => <Records key={entity.key} entity={entity} />}</WithEntity>
}

function Records({ entity: { entityType, labels } }: { readonly entity: CustomEntityRecord }) {
  const search: ListAddress = useSearch({ strict: false })
  const navigate = useNavigate()
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
      onGo={(next, how) => void navigate({ to: '.', search: next, ...how })}
    />
  )
}
