import { kindOf } from '@crm/model'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { kindsQuery } from '../../records/record-kinds.ts'
import { kindAt } from '../../records/record-place.ts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Page } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

interface WithKindProps {
  /** The path of the list of a kind. */
  readonly path: string
  children(entityType: string): ReactNode
}

/** Shows content that needs a kind of record, once the kind in the address is known: custom entities are read first. */
export function WithKind({ path, children }: WithKindProps) {
  const { data: kinds, error, refetch } = useQuery(kindsQuery)
  const entityType = kindAt(path)
  if (entityType !== undefined && (kindOf(entityType) ?? kinds?.find(({ key }) => key === entityType)))
    return children(entityType)
  if (kinds) return <NotFoundPage />
  return (
    <Page title={t('common.records')}>
      {error === null ? <LoadingLines lines={4} /> : <RefusalAlert error={error} retry={() => void refetch()} />}
    </Page>
  )
}
