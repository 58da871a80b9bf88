import type { CustomEntityRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { customEntitiesQuery } from '../../records/custom-entities.ts'
import { customTypeAt } from '../../records/custom-paths.ts'
import { kindsQuery } from '../../records/record-kinds.ts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Page } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

interface WithEntityProps {
  /** The first part of the address: the plural of a custom entity, or its key. */
  readonly path: string
  children(entity: CustomEntityRecord): ReactNode
}

/** Shows content that needs a custom entity, once the entity in the address is known. */
export function WithEntity({ path, children }: WithEntityProps) {
  const entities = useQuery(customEntitiesQuery)
  const kinds = useQuery(kindsQuery)
  const type = customTypeAt(path)
  const entity = entities.data?.find(({ key, entityType }) => entityType === type || key === path)
  if (entity && kinds.data) return children(entity)
  if (entities.data && kinds.data) return <NotFoundPage />
  const error = entities.error ?? kinds.error
  const retry = () => void Promise.all([entities.refetch(), kinds.refetch()])
  return (
    <Page title={t('frame.customEntities')}>
      {error === null ? <LoadingLines lines={4} /> : <RefusalAlert error={error} retry={retry} />}
    </Page>
  )
}
