import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { customRecordQuery } from './entity-queries.ts'
import { describeFieldValue } from './field-values.ts'
import { WithEntity } from './known-entity.tsx'
import { RecordDialog } from './record-dialog.tsx'

const route = getRouteApi('/console/records/$key/$id')

/** A record of a custom entity: its fields, what is said about it and what happened to it. */
export function CustomRecordPage() {
  const { key, id } = route.useParams()
  return <WithEntity entityKey={key}>{(entity) => <OneRecord key={id} entity={entity} id={id} />}</WithEntity>
}

function OneRecord({ entity, id }: { readonly entity: CustomEntityRecord; readonly id: string }) {
  const reading = useQuery(customRecordQuery(entity, id))
  const back = (
    <BackLink to="/records/$key" params={{ key: entity.key }} search={{}}>
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
  const place = { entityType: entity.entityType, entityId: record.id }
  return (
    <RecordPage
      record={place}
      title={record.title}
      note={entity.labels.singular}
      back={back}
      actions={<Actions entity={entity} record={record} />}
      main={
        <Panel title="Details">
          <RecordFacts entity={entity} record={record} />
        </Panel>
      }
      aside={
        <>
          <DocumentsPanel record={place} />
          <FilesPanel record={place} />
        </>
      }
    />
  )
}

function RecordFacts({
  entity: { fields, hasOwner },
  record,
}: {
  readonly entity: CustomEntityRecord
  readonly record: CustomRecord
}) {
  const people = usePeopleNames([record.ownerId])
  const facts: (readonly [string, ReactNode])[] = [
    ...fields.map((field) => [field.label, describeFieldValue(field, record.values[field.key])] as const),
    ...(hasOwner ? [['Owner', (record.ownerId !== null && people.get(record.ownerId)) || null] as const] : []),
    ...(record.tags.length > 0 ? [['Tags', record.tags.join(', ')] as const] : []),
    ['Created', describeInstant(record.createdAt)],
  ]
  return <Facts facts={facts} />
}

function Actions({ entity, record }: { readonly entity: CustomEntityRecord; readonly record: CustomRecord }) {
  const { key, entityType } = entity
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType, entityId: record.id }}
      title={record.title}
      edit={(close) => <RecordDialog entity={entity} record={record} opened onClose={close} />}
      remove={() => crm.customRecords.delete({ params: { key, id: record.id } })}
      leave={() => navigate({ to: '/records/$key', params: { key }, search: {} })}
    />
  )
}
