import { kindOf } from '@crm/model'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../base/session.ts'
import { customEntitiesQuery } from '../../records/custom-entities.ts'
import { customPaths } from '../../records/custom-paths.ts'
import { kindsQuery } from '../../records/record-kinds.ts'
import { kindAt } from '../../records/record-place.ts'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

interface WithKindProps {
  /** The path of the list of a kind. */
  readonly path: string
  children(entityType: string): ReactNode
}

/** Shows content that needs a kind of record, once the kind in the address is known: custom entities are read first. */
export function WithKind({ path, children }: WithKindProps) {
  const { data: kinds, error, refetch } = useQuery(kindsQuery)
  const { may } = useSession()
  const entityType = kindAt(path)
  if (entityType !== undefined && (kindOf(entityType) ?? kinds?.find(({ key }) => key === entityType)))
    return children(entityType)
  if (kinds) return may('MANAGE_CUSTOM_FIELDS') ? <OfUnseenKind path={path} /> : <NotFoundPage />
  return <Reading error={error} retry={() => void refetch()} />
}

function Reading({ error, retry }: { readonly error: Error | null; retry(): void }) {
  return (
    <Page title={t('Records')}>
      {error === null ? <LoadingLines lines={4} /> : <RefusalAlert error={error} retry={retry} />}
    </Page>
  )
}

/** The page of a custom entity for somebody who declares it and sees none of its records. */
function OfUnseenKind({ path }: { readonly path: string }) {
  const { data: entities, error, refetch } = useQuery(customEntitiesQuery)
  if (entities === undefined) return <Reading error={error} retry={() => void refetch()} />
  const paths = customPaths(
    entities.map(({ entityType, labels }) => ({ key: entityType, plural: labels.plural, isCustom: true })),
  )
  const entity = entities.find(({ key, entityType }) => [`/records/${key}`, `/${paths.get(entityType)}`].includes(path))
  if (entity === undefined) return <NotFoundPage />
  return (
    <Page title={entity.labels.plural} narrow>
      <Panel>
        <EmptyState
          title={t('You may not see these records')}
          action={
            <Anchor renderRoot={(props) => <Link to="/settings/custom-entities" {...props} />}>
              {t('Open the definition')}
            </Anchor>
          }
        >
          {t(
            'Your role lets you change the definition of {plural}, not see the records. An administrator can change that.',
            { plural: entity.labels.plural },
          )}
        </EmptyState>
      </Panel>
    </Page>
  )
}
