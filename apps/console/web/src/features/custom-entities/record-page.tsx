import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { Comments } from '../../records/comments.tsx'
import { DeleteRecordDialog } from '../../records/delete-record-dialog.tsx'
import classes from '../../records/record-page.module.css'
import { collectionOf } from '../../records/record-place.ts'
import { Timeline } from '../../records/timeline.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
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
  const { data: record, error, refetch } = useQuery(customRecordQuery(entity, id))
  const back = <Link to="/records/$key" params={{ key: entity.key }} search={{}} className={classes.back}><Icon name="left" size={16} />{entity.labels.plural}</Link>
  if (record !== undefined) return <KnownRecord entity={entity} record={record} back={back} />
  return (
    <Page title={error === null ? entity.labels.singular : 'This record cannot be shown'} above={back}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the record" /></Panel>}
    </Page>
  )
}

function KnownRecord({ entity, record, back }: { readonly entity: CustomEntityRecord; readonly record: CustomRecord; readonly back: ReactNode }) {
  const client = useQueryClient()
  const place = { entityType: entity.entityType, entityId: record.id }
  return (
    <Page title={record.title} note={entity.labels.singular} above={back} actions={<RecordActions entity={entity} record={record} />}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="Details"><RecordFacts entity={entity} record={record} /></Panel>
          <Panel title="Comments"><Comments record={place} /></Panel>
        </div>
        <div className={classes.column}>
          <DocumentsPanel record={place} />
          <FilesPanel record={place} onChange={() => client.invalidateQueries({ queryKey: [collectionOf(entity.entityType), 'timeline', record.id] })} />
          <Panel title="Timeline"><Timeline record={place} /></Panel>
        </div>
      </div>
    </Page>
  )
}

function RecordFacts({ entity: { fields, hasOwner }, record }: { readonly entity: CustomEntityRecord; readonly record: CustomRecord }) {
  const people = usePeopleNames([record.ownerId])
  const facts: (readonly [string, ReactNode])[] = [
    ...fields.map((field) => [field.label, describeFieldValue(field, record.values[field.key])] as const),
    ...(hasOwner ? [['Owner', (record.ownerId !== null && people.get(record.ownerId)) || null] as const] : []),
    ...(record.tags.length > 0 ? [['Tags', record.tags.join(', ')] as const] : []),
    ['Created', describeInstant(record.createdAt)],
  ]
  return <Facts facts={facts} />
}

function RecordActions({ entity, record }: { readonly entity: CustomEntityRecord; readonly record: CustomRecord }) {
  const { key, entityType } = entity
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may(`DELETE_${entityType}`) && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may(`UPDATE_${entityType}`) && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      <RecordDialog entity={entity} record={record} opened={dialog === 'edit'} onClose={close} />
      <DeleteRecordDialog
        record={{ entityType, entityId: record.id }}
        title={record.title}
        opened={dialog === 'delete'}
        remove={() => crm.customRecords.delete({ params: { key, id: record.id } })}
        leave={() => navigate({ to: '/records/$key', params: { key }, search: {} })}
        onClose={close}
      />
    </>
  )
}
