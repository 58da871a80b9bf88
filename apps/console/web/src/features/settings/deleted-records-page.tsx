import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import classes from '../../records/list-filters.module.css'
import { collectionOf } from '../../records/record-place.ts'
import { RowTitle } from '../../records/record-table.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { restorableKinds, type DeletedSearch } from './deleted-search.ts'
import { inSentence } from '../../base/texts.ts'
import { t } from './texts.ts'

const route = getRouteApi('/console/settings/trash')

const deletedQuery = ({ kind, search, page = 1 }: DeletedSearch) =>
  queryOptions({
    queryKey: ['deleted', kind, search, page],
    queryFn: ({ signal }) =>
      settings.deletedRecords.list({ query: { entityType: kind ?? '', search, page, pageSize: 50 }, signal }),
    placeholderData: keepPreviousData,
    enabled: kind !== undefined,
  })

/** The records deleted in the last 30 days, with a way to restore them. */
export function DeletedRecordsPage() {
  const { scopes, usable } = useSession()
  const kinds = restorableKinds(scopes.allScopes, usable)
  const asked = route.useSearch()
  const kind = kinds.find(({ entityType }) => entityType === asked.kind) ?? kinds[0]
  const search = { ...asked, kind: kind?.entityType }
  const navigate = route.useNavigate()
  const deleted = useQuery(deletedQuery(search))
  if (kind === undefined)
    return (
      <Page title={t('Trash')}>
        <EmptyState title={t('Nothing to restore here')}>
          {t('You cannot delete records, so there is nothing to restore.')}
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title={t('Trash')}
      note={t('Items are kept for 30 days. Restoring one brings back its tasks, notes and files.')}
    >
      <search className={classes.filters}>
        <SearchField
          label={t('Search the deleted records')}
          placeholder={t('Search')}
          value={asked.search ?? ''}
          onSearch={(text) =>
            void navigate({
              search: { kind: kind.entityType, ...(text.trim() && { search: text.trim() }) },
              replace: true,
            })
          }
        />
        <NativeSelect
          aria-label={t('Record type')}
          value={kind.entityType}
          data={kinds.map(({ entityType, plural }) => ({ value: entityType, label: plural }))}
          onChange={({ currentTarget }) => void navigate({ search: { kind: currentTarget.value } })}
        />
      </search>
      <TablePanel
        label={t('Deleted records')}
        reading={deleted}
        page={search.page ?? 1}
        onPage={(page) => void navigate({ search: { ...search, page } })}
        empty={
          <EmptyState title={t('No deleted {plural}', { plural: inSentence(kind.plural) })}>
            {asked.search ? t('No deleted items match.') : t('Nothing of this kind was deleted in the last 30 days.')}
          </EmptyState>
        }
        columns={[
          { label: t('Name'), cell: ({ title }) => <RowTitle>{title}</RowTitle> },
          { label: t('Deleted by'), isExtra: true, cell: ({ deletedBy }) => deletedBy },
          {
            label: t('Deleted'),
            cell: ({ deletedAt }) => <time dateTime={deletedAt}>{describeInstant(deletedAt)}</time>,
          },
          {
            label: t('Restorable until'),
            isExtra: true,
            cell: ({ restorableUntil }) => <time dateTime={restorableUntil}>{describeInstant(restorableUntil)}</time>,
          },
        ]}
        actions={(record) => <Restore record={record} />}
      />
    </Page>
  )
}

type DeletedRecord = Awaited<ReturnType<typeof settings.deletedRecords.list>>['items'][number]

function Restore({ record: { entityType, id, title } }: { readonly record: DeletedRecord }) {
  const restore = useChange(() => settings.deletedRecords.restore({ params: { id }, body: { entityType } }), {
    said: t('{title} restored', { title }),
    stale: ['deleted', collectionOf(entityType), 'record-name'],
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="restore" size={14} />}
        loading={restore.isPending}
        aria-label={t('Restore {title}', { title })}
        onClick={() => restore.mutate(undefined)}
      >
        {t('Restore')}
      </Button>
      <RefusalAlert error={restore.error} />
    </>
  )
}
