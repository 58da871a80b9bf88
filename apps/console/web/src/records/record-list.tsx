import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState, type ComponentType, type ReactNode } from 'react'
import { useSession } from '../base/session.ts'
import { Icon } from '../shell/icons.tsx'
import { Page, Panel } from '../shell/page.tsx'
import { Pager } from '../shell/pager.tsx'
import { RefusalAlert } from '../shell/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { choiceOf } from './list-choice.ts'
import classes from './list-filters.module.css'
import { countInWords, NoRecords, type ListWords } from './list-words.tsx'
import { narrowingOf, pageSizes, type listAddress, type ListSearch } from './list-search.ts'
import { RecordForm } from './record-form.tsx'
import { useKind } from './record-kinds.ts'
import { LoadingRows, RecordTable, type Column } from './record-table.tsx'
import { SearchField } from './search-field.tsx'
import { useSelection } from './selection.ts'
import { named, t } from '../base/texts.ts'

interface Loading<Row> {
  readonly data: { readonly items: readonly Row[]; readonly total: number } | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
  refetch(): unknown
}

interface RecordListProps<Row, Sort extends string, Filter extends string> {
  readonly words: ListWords
  readonly address: ReturnType<typeof listAddress<Sort, Filter>>
  readonly search: ListSearch<Sort | 'createdAt', Filter>
  readonly list: Loading<Row>
  readonly columns: readonly Column<Row, Sort | 'createdAt'>[]
  /** Further filters besides the search. */
  readonly filters?: ReactNode
  /** Further actions besides adding a record. */
  readonly actions?: ReactNode
  /** The record kind that the page offers to add, as in permissions. */
  readonly creates?: string
  /** The dialog that adds a record, if its fields alone are not enough; absent if nobody may add one. */
  readonly CreateDialog?: ComponentType<{ readonly opened: boolean; onClose(): void }>
  onGo(
    search: ListSearch<Sort | 'createdAt', Filter>,
    how: { readonly replace: boolean; readonly resetScroll: boolean },
  ): void
}

/** A page with a list of records; the address holds all of its parameters. */
export function RecordList<Row extends { readonly id: string }, Sort extends string, Filter extends string>(
  props: RecordListProps<Row, Sort, Filter>,
) {
  const { words, address, search, list, columns, filters, actions, creates, CreateDialog } = props
  const { may } = useSession()
  const mayCreate = CreateDialog !== undefined || (creates !== undefined && may(`CREATE_${creates}`))
  const { data, error, isPlaceholderData } = list
  const [isCreating, setCreating] = useState(false)
  const query = address.queryOf(search)
  const go = (next: ListSearch<Sort | 'createdAt', Filter>, { replace = false, resetScroll = false } = {}) =>
    props.onGo(next, { replace, resetScroll })
  const kind = useKind(creates ?? '')
  const asked = narrowingOf(query)
  const selection = useSelection(JSON.stringify(asked))
  const goBy = (change: ListSearch<Sort, never>) => address.change(search, change)
  useHotkeys([['c', () => mayCreate && setCreating(true)]])
  return (
    <Page
      title={words.title}
      note={countInWords(data?.total, words, address.isNarrowed(search))}
      actions={
        <>
          {actions}
          {mayCreate && (
            <Button
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => setCreating(true)}
              aria-keyshortcuts="c"
            >
              {t('records.newNoun', named(words.one))}
            </Button>
          )}
        </>
      }
    >
      <search className={classes.filters}>
        <SearchField
          label={t('records.searchMany', { many: words.many })}
          placeholder={words.searched}
          value={search.search ?? ''}
          onSearch={(text) => go(goBy({ search: text }), { replace: true })}
        />
        {filters}
      </search>
      <RefusalAlert error={error} retry={() => void list.refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && (
            <LoadingRows rows={query.pageSize} label={t('records.loadingMany', { many: words.many })} />
          )}
          {data?.items.length === 0 && (
            <NoRecords
              words={words}
              total={data.total}
              isNarrowed={address.isNarrowed(search)}
              onClear={() => go(address.read({}))}
              onFirstPage={() => go(goBy({}))}
            />
          )}
          {data !== undefined && data.items.length > 0 && (
            <RecordTable
              label={words.title}
              columns={columns}
              rows={data.items}
              isStale={isPlaceholderData}
              isLinked
              choice={kind && choiceOf(kind, selection, data.items)}
              sorting={{
                by: query.sortBy,
                order: query.sortOrder,
                onSort: (field) => go(address.sortedBy(search, field)),
              }}
            />
          )}
        </Panel>
      )}
      {data !== undefined && data.total > 0 && (
        <Pager
          page={query.page}
          pageSize={query.pageSize}
          total={data.total}
          pageSizes={pageSizes}
          onPage={(page) => go(goBy({ page }), { resetScroll: true })}
          onPageSize={(pageSize) => go(goBy({ pageSize }))}
        />
      )}
      {creates !== undefined && data !== undefined && (
        <BulkBar entityType={creates} selection={selection} query={asked} total={data.total} />
      )}
      {creates !== undefined && (
        <RecordForm entityType={creates} opened={isCreating} onClose={() => setCreating(false)} />
      )}
      {CreateDialog && <CreateDialog opened={isCreating} onClose={() => setCreating(false)} />}
    </Page>
  )
}
