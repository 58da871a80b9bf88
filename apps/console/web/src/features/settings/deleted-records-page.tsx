import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import classes from '../../records/list-filters.module.css'
import { collectionOf } from '../../records/record-place.ts'
import { SearchField } from '../../records/search-field.tsx'
import { useChange } from '../../shell/changes.ts'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { restorableKinds, type DeletedSearch } from './deleted-search.ts'

const route = getRouteApi('/console/settings/deleted')

const deletedQuery = ({ kind, search, page = 1 }: DeletedSearch) => queryOptions({
  queryKey: ['deleted', kind, search, page],
  queryFn: ({ signal }) => settings.deletedRecords.list({ query: { entityType: kind ?? '', search, page, pageSize: 50 }, signal }),
  placeholderData: keepPreviousData,
  enabled: kind !== undefined,
})

/** What was deleted in the last 30 days, with the way back. */
export function DeletedRecordsPage() {
  const { scopes, usable } = useSession()
  const kinds = restorableKinds(scopes.allScopes, usable)
  const asked = route.useSearch()
  const kind = kinds.find(({ entityType }) => entityType === asked.kind) ?? kinds[0]
  const search = { ...asked, kind: kind?.entityType }
  const navigate = route.useNavigate()
  const searchBox = useRef<HTMLInputElement>(null)
  const { data, error, isPlaceholderData, refetch } = useQuery(deletedQuery(search))
  if (kind === undefined) return <Page title="Recently deleted"><EmptyState title="Nothing to restore here">You may delete no records, so there are none that you could bring back.</EmptyState></Page>
  return (
    <Page title="Recently deleted" note="Deleted records stay for 30 days. What hangs on one comes back with it.">
      <search className={classes.filters}>
        <SearchField label="Search the deleted records" placeholder="Search" value={asked.search ?? ''} searchBox={searchBox} onSearch={(text) => void navigate({ search: { kind: kind.entityType, ...(text.trim() && { search: text.trim() }) }, replace: true })} />
        <NativeSelect
          aria-label="Kind of record"
          value={kind.entityType}
          data={kinds.map(({ entityType, plural }) => ({ value: entityType, label: plural }))}
          onChange={({ currentTarget }) => void navigate({ search: { kind: currentTarget.value } })}
        />
      </search>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the deleted records" /></div>}
          {data?.items.length === 0 && <EmptyState title={`No deleted ${kind.plural.toLowerCase()}`}>{asked.search ? 'Nothing that was deleted matches.' : 'Nothing of this kind was deleted in the last 30 days.'}</EmptyState>}
          {data !== undefined && data.items.length > 0 && (
            <table className={tables.table} aria-label="Deleted records" data-stale={isPlaceholderData}>
              <thead>
                <tr>
                  <th scope="col">Name</th><th scope="col" data-extra>Deleted by</th><th scope="col">Deleted</th><th scope="col" data-extra>Restorable until</th>
                  <th scope="col"><span className={tables.spoken}>Actions</span></th>
                </tr>
              </thead>
              <tbody>{data.items.map((record) => <DeletedRow key={record.id} record={record} />)}</tbody>
            </table>
          )}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={data.page} pageSize={data.pageSize} total={data.total} onPage={(page) => void navigate({ search: { ...search, page } })} />}
    </Page>
  )
}

type DeletedRecord = Awaited<ReturnType<typeof settings.deletedRecords.list>>['items'][number]

function DeletedRow({ record: { entityType, id, title, deletedBy, deletedAt, restorableUntil } }: { readonly record: DeletedRecord }) {
  const restore = useChange(() => settings.deletedRecords.restore({ params: { id }, body: { entityType } }), { said: `${title} is back`, stale: ['deleted', collectionOf(entityType), 'record-name'] })
  return (
    <tr>
      <td>
        <div className={tables.title}>{title}</div>
        <RefusalAlert error={restore.error} />
      </td>
      <td data-extra>{deletedBy}</td>
      <td><time dateTime={deletedAt}>{describeInstant(deletedAt)}</time></td>
      <td data-extra><time dateTime={restorableUntil}>{describeInstant(restorableUntil)}</time></td>
      <td>
        <div className={tables.actions}>
          <Button variant="default" size="xs" leftSection={<Icon name="restore" size={14} />} loading={restore.isPending} aria-label={`Restore ${title}`} onClick={() => restore.mutate(undefined)}>Restore</Button>
        </div>
      </td>
    </tr>
  )
}
