import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { Age } from '../../shell/age.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { customRecordsQuery, recordPageSize } from './entity-queries.ts'
import { describeFieldValue } from './field-values.ts'
import { WithEntity } from './known-entity.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { readRecordSearch } from './record-search.ts'

const route = getRouteApi('/console/records/$key')
const typingPauseMs = 250

/** The records of a custom entity. */
export function CustomRecordsPage() {
  const { key } = route.useParams()
  return <WithEntity entityKey={key}>{(entity) => <Records key={key} entity={entity} />}</WithEntity>
}

function Records({ entity }: { readonly entity: CustomEntityRecord }) {
  const { labels, entityType } = entity
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const { data, error, isPlaceholderData, refetch } = useQuery(customRecordsQuery(entity, search))
  const change = (next: Readonly<Record<string, unknown>>, replace = false) => void navigate({ search: readRecordSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  const searchSoon = useDebouncedCallback((text: string) => change({ search: text }, true), typingPauseMs)
  return (
    <Page
      title={labels.plural}
      note={data === undefined ? ' ' : `${data.total.toLocaleString('en')} in all`}
      actions={may(`CREATE_${entityType}`) && <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>{`New ${labels.singular}`}</Button>}
    >
      <search><TextInput type="search" aria-label={`Search ${labels.plural}`} placeholder="Title" leftSection={<Icon name="search" size={16} />} defaultValue={search.search ?? ''} onChange={(event) => searchSoon(event.currentTarget.value)} /></search>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush={data !== undefined && data.items.length > 0}>
          {data === undefined && <LoadingLines lines={8} label={`Loading ${labels.plural}`} />}
          {data?.items.length === 0 && <EmptyState title="Nothing here" />}
          {data !== undefined && data.items.length > 0 && <RecordsTable entity={entity} records={data.items} isStale={isPlaceholderData} />}
        </Panel>
      )}
      {data !== undefined && data.total > 0 && <Pager page={search.page ?? 1} pageSize={recordPageSize} total={data.total} onPage={(page) => change({ page })} />}
      <RecordDialog entity={entity} opened={isCreating} onClose={() => setCreating(false)} />
    </Page>
  )
}

/** More fields than this make a table that nobody can read. */
const columnsMax = 4

function RecordsTable({ entity: { key, labels, fields, hasOwner }, records, isStale }: { readonly entity: CustomEntityRecord; readonly records: readonly CustomRecord[]; readonly isStale: boolean }) {
  const people = usePeopleNames(records.map(({ ownerId }) => ownerId))
  const columns = fields.slice(0, columnsMax)
  return (
    <table className={tables.table} aria-label={labels.plural} aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          <th scope="col">Title</th>
          {columns.map((field) => <th key={field.key} scope="col" data-extra="true">{field.label}</th>)}
          {hasOwner && <th scope="col" data-extra="true">Owner</th>}
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            <td><Link to="/records/$key/$id" params={{ key, id: record.id }} className={tables.title}>{record.title}</Link></td>
            {columns.map((field) => <td key={field.key} data-extra="true">{describeFieldValue(field, record.values[field.key]) ?? '–'}</td>)}
            {hasOwner && <td data-extra="true">{(record.ownerId && people.get(record.ownerId)) ?? '–'}</td>}
            <td><Age at={record.createdAt} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
