import type { CustomEntityRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { customEntitiesQuery } from '../../records/custom-entities.ts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Page } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

/** Shows content that needs a custom entity, once the type in the address is known. */
export function WithEntity({
  entityKey,
  children,
}: {
  readonly entityKey: string
  children(entity: CustomEntityRecord): ReactNode
}) {
  const { data, error, refetch } = useQuery(customEntitiesQuery)
  const entity = data?.find(({ key }) => key === entityKey)
  if (entity) return children(entity)
  if (data !== undefined) return <NotFoundPage />
  return (
    <Page title={t('common.records')}>
      {error === null ? <LoadingLines lines={4} /> : <RefusalAlert error={error} retry={() => void refetch()} />}
    </Page>
  )
}
