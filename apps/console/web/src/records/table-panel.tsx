import type { ReactNode } from 'react'
import { Panel } from '../shell/page.tsx'
import { Pager } from '../shell/pager.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { RecordTable, type TableContent } from './record-table.tsx'
import tables from './table.module.css'
import { t } from '../base/texts.ts'

/** A page of a list as the API returns it. */
interface ListPage<Row> {
  readonly items: readonly Row[]
  readonly pageSize: number
  readonly total: number
}

/** The state of a query for a list: one page of it, or all of it. */
interface Reading<Row> {
  readonly data: ListPage<Row> | readonly Row[] | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
  refetch(): unknown
}

interface TablePanelProps<Row extends object, Sort extends string> extends TableContent<Row, Sort> {
  readonly reading: Reading<Row>
  /** The content when there are no rows. */
  readonly empty: ReactNode
  /** The wanted page; the first one by default. */
  readonly page?: number
  onPage?(page: number): void
  /** Whether the pager is shown for a single page too, because nothing else shows the number of rows. */
  readonly isCounted?: boolean
  /** The name of the panel, if it is not the only one of its page. */
  readonly title?: string
  readonly note?: ReactNode
  readonly add?: ReactNode
}

/** A panel with the rows of a query, by pages, with content for loading, for a failure, and for no rows. */
export function TablePanel<Row extends object, Sort extends string>({
  reading,
  empty,
  page = 1,
  onPage,
  isCounted = false,
  title,
  note,
  add,
  ...content
}: TablePanelProps<Row, Sort>) {
  const { data, error, isPlaceholderData } = reading
  const list = data === undefined || !('items' in data) ? undefined : data
  const rows = list?.items ?? (data as readonly Row[] | undefined)
  const alert = <RefusalAlert error={error} retry={() => void reading.refetch()} />
  const pager = list !== undefined && onPage !== undefined && list.total > (isCounted ? 0 : list.pageSize) && (
    <Pager page={page} pageSize={list.pageSize} total={list.total} onPage={onPage} />
  )
  const table = (
    <>
      {rows === undefined && error === null && (
        <div className={tables.loading}>
          <LoadingLines label={t('Loading: {label}', { label: content.label })} />
        </div>
      )}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && <RecordTable {...content} rows={rows} isStale={isPlaceholderData} />}
    </>
  )
  if (title !== undefined)
    return (
      <Panel title={title} note={note} actions={add} flush>
        {alert}
        {table}
        {pager}
      </Panel>
    )
  return (
    <>
      {alert}
      {(error === null || rows !== undefined) && <Panel flush>{table}</Panel>}
      {pager}
    </>
  )
}
