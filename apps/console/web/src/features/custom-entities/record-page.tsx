import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { emailsTab } from '../../domain/activities/emails-panel.tsx'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { NextStep, tasksTab } from '../../domain/tasks/record-tasks.tsx'
import { KeyFacts } from '../../records/key-facts.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { listOf } from '../../records/record-place.ts'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Related } from '../../records/related.tsx'
import { customRecordQuery } from './entity-queries.ts'
import { WithEntity } from './known-entity.tsx'

/** A record of a custom entity: its fields, its comments and its history. */
export function CustomRecordPage() {
  const { plural, key = plural, id = '' } = useParams({ strict: false })
  return <WithEntity path={key ?? ''}>{(entity) => <OneRecord key={id} entity={entity} id={id} />}</WithEntity>
}

function OneRecord({ entity, id }: { readonly entity: CustomEntityRecord; readonly id: string }) {
  const reading = useQuery(customRecordQuery(entity, id))
  const back = (
    <BackLink to={listOf(entity.entityType)} search={addressOfList(entity.entityType)}>
      {entity.labels.plural}
    </BackLink>
  )
  return (
    <WithRecord noun={entity.labels.singular} back={back} reading={reading}>
      {(record) => <KnownRecord entity={entity} record={record} back={back} />}
    </WithRecord>
  )
}

function KnownRecord({
  entity,
  record,
  back,
}: {
  readonly entity: CustomEntityRecord
  readonly record: CustomRecord
  readonly back: ReactNode
}) {
  const navigate = useNavigate()
  const place = { entityType: entity.entityType, entityId: record.id }
  return (
    <RecordPage
      record={place}
      title={record.title}
      note={entity.labels.singular}
      back={back}
      actions={
        <RecordActions
          record={place}
          leave={() => navigate({ to: listOf(entity.entityType), search: addressOfList(entity.entityType) })}
        />
      }
      facts={<KeyFacts entityType={entity.entityType} record={record} />}
      tabs={[tasksTab(place), emailsTab(place), filesTab(place), documentsTab(place)]}
      next={<NextStep record={place} />}
      aside={<Related place={place} record={record} />}
    />
  )
}
