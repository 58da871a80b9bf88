import { Alert, Button, Group, Menu, SegmentedControl } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { Link, useNavigate, type LinkProps } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { later } from '../../shell/later.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { BulkBar } from '../bulk-bar.tsx'
import { choiceOf } from '../list-choice.ts'
import filters from '../list-filters.module.css'
import { countInWords, NoRecords, type ListWords } from '../list-words.tsx'
import { useListPlace } from '../list-place.ts'
import { RecordForm } from '../later-record-form.ts'
import { usePageCommand } from '../page-commands.ts'
import type { AnyRecord } from '../record-calls.ts'
import { kindsQuery, useKind, type Kind } from '../record-kinds.ts'
import { LoadingRows } from '../record-table.tsx'
import { SearchField } from '../search-field.tsx'
import { useSelection } from '../selection.ts'
import { calendarFields, boardFields } from './arrangements.ts'
import { gridColumns, titleKeyOf } from './columns.ts'
import { Grid } from './grid.tsx'
import {
  addressReader,
  conditionsOf,
  isStanding,
  usualViewOf,
  viewIdOf,
  withDefaultView,
  withoutFields,
  type Layout,
  type ListAddress,
  type WireGroup,
} from './list-address.ts'
import { FilterToggle, ListFilters, useListFilter } from './list-filters.tsx'
import { ImportButton, ListMenu } from './list-menu.tsx'
import { viewsQuery } from './list-queries.ts'
import {
  addressWith,
  isNarrowed,
  isSummarized,
  narrowingOf,
  sortedBy,
  stateOf,
  writeColumns,
  writeSorts,
  writeSums,
  type ListColumn,
  type ListState,
  type Sort,
  type ViewBody,
} from './list-state.ts'
import { Board } from './start-reading.tsx'
import { useListRows, type ListRows } from './use-list-rows.ts'
import { Views } from './views.tsx'
import classes from './work-list.module.css'
import { named, t } from '../../base/texts.ts'

const ColumnsDialog = later(async () => (await import('./columns-dialog.tsx')).ColumnsDialog)
const Calendar = later(
  async () => (await import('./calendar.tsx')).Calendar,
  () => <LoadingLines />,
)

interface CreateDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** The page or dialog in which a record is created, if it is not the form of its fields; `elsewhere` for none. */
export type Creating =
  | 'elsewhere'
  | { readonly to: LinkProps['to'] }
  | { readonly Dialog: ComponentType<CreateDialogProps> }

interface WorkListProps {
  readonly entityType: string
  readonly words: ListWords
  readonly address: ListAddress
  readonly creating?: Creating | undefined
  /** Stands above the records, such as a line that adds one. */
  readonly above?: ReactNode
  /** Returns what stands before the name of a record. */
  lead?(record: AnyRecord): ReactNode
  onGo(address: ListAddress, how: { readonly replace: boolean; readonly resetScroll: boolean }): void
}

/** The working list of a kind: a table, a board or a calendar of what a view, a search and conditions find. */
export function WorkList({ entityType, words, address: asked, creating, above, lead, onGo }: WorkListProps) {
  const kind = useKind(entityType)
  const canSave = isSummarized(entityType)
  const views = useQuery({ ...viewsQuery(entityType), enabled: canSave })
  const address = useMemo(
    () => withDefaultView(addressReader(entityType)(asked), views.data),
    [entityType, asked, views.data],
  )
  const panelId = useId()
  const viewId = viewIdOf(entityType, address)
  const isSaved = !isStanding(viewId)
  const view = views.data?.find(({ id }) => id === address.view)
  const isUnknownView = isSaved && views.data !== undefined && view === undefined
  const state = stateOf(entityType, address, view, kind)
  // The address decides at once, unless the workspace may have a view with which the list opens.
  const isReady = !canSave || !views.isPending || (address.view !== undefined && !isSaved)
  const gone = goneFields(kind, state)
  const isTable = state.layout === 'table'
  const list = useListRows(entityType, state, isReady && gone.length === 0 && isTable)
  const go = (next: ListAddress, { replace = false, resetScroll = false } = {}) => onGo(next, { replace, resetScroll })
  const change = (changed: Partial<ListAddress>, how?: { readonly replace: boolean }) =>
    go(withoutUndefined({ ...address, page: undefined, ...changed }), how)
  const filterBy = (group: WireGroup | undefined, how?: { readonly replace: boolean }) =>
    // An empty text takes the conditions of a view off; without a view there is nothing to take off.
    change({ f: group ? JSON.stringify(group) : viewId === 'all' ? undefined : '' }, how)
  const filter = useListFilter(state.group)
  // A record that is added on the board of a pipeline belongs to that pipeline.
  const pipelineId = state.layout === 'board' ? state.by?.split(':')[1] : undefined
  const narrowing = narrowingOf(state)
  const { button: creation, dialog } = useCreation(entityType, words, creating, pipelineId)
  const shared = { words, kind, state, change, narrowing, filter, address, go, lead, creation }
  // An empty list has its button in the middle of the page, and a page has one of a name.
  const isEmpty = isTable && list.total === 0 && !isNarrowed(state)
  useListPlace(entityType, asked, isTable ? [...(list.rows?.values() ?? [])].map(({ id }) => id) : [])
  return (
    <Page
      title={words.title}
      wide
      isList
      note={isTable ? countInWords(list.total, words, isNarrowed(state)) : ' '}
      actions={
        <>
          <ListMenu entityType={entityType} query={narrowing} viewId={isSaved ? viewId : undefined} />
          {!isEmpty && creation}
        </>
      }
    >
      <Views
        entityType={entityType}
        address={address}
        views={views.data ?? []}
        hasMine={kind === undefined || kind.fields.some(({ key }) => key === 'ownerId')}
        canSave={canSave}
        panelId={panelId}
        layout={state.layout}
        body={bodyOf(state, address, viewId)}
        onGo={(next) => go(next)}
      />
      <div
        id={panelId}
        role="tabpanel"
        aria-label={`${words.title}, ${viewName(viewId, view?.name)}`}
        className={classes.panel}
      >
        {above && <div className={classes.above}>{above}</div>}
        <Toolbar {...shared} />
        {kind && (
          <ListFilters
            filter={filter}
            kind={kind}
            group={state.group}
            isOfView={address.f === undefined}
            onChange={filterBy}
          />
        )}
        <ViewNotices
          words={words}
          group={state.group}
          gone={gone}
          isUnknown={isUnknownView}
          isShortened={view !== undefined && view.goneFields.length > 0}
          onFilter={filterBy}
        />
        {!isReady && <Rows state={state} words={words} />}
        {gone.length === 0 && isReady && isTable && <Table {...shared} entityType={entityType} list={list} />}
        {gone.length === 0 && isReady && !isTable && <Arranged {...shared} entityType={entityType} />}
      </div>
      {dialog}
    </Page>
  )
}

/** The records as a board or a calendar. */
function Arranged({ entityType, ...shared }: Shared & { readonly entityType: string }) {
  const { kind, words, state, change } = shared
  return (
    <>
      {kind && state.layout === 'board' && (
        <Board
          kind={kind}
          words={words}
          state={state}
          // The button of the page stays above the board.
          empty={<Empty {...shared} creation={null} entityType={entityType} total={0} />}
          onBy={(by) => change({ by })}
        />
      )}
      {kind && state.layout === 'calendar' && <Calendar kind={kind} state={state} onBy={(by) => change({ by })} />}
    </>
  )
}

/** Returns the button that creates a record, and what it opens: the form of the fields, or the page or dialog of the kind. */
function useCreation(
  entityType: string,
  words: ListWords,
  creating: Creating | undefined,
  pipelineId: string | undefined,
): { readonly button: ReactNode; readonly dialog: ReactNode } {
  const { may } = useSession()
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const mayCreate = creating !== 'elsewhere' && may(`CREATE_${entityType}`)
  const own = typeof creating === 'object' ? creating : undefined
  const page = own && 'to' in own ? own.to : undefined
  const Dialog = own && 'Dialog' in own ? own.Dialog : undefined
  const create = () => (page === undefined ? setCreating(true) : void navigate({ to: page }))
  const close = () => setCreating(false)
  usePageCommand('create', mayCreate && create)
  const button = mayCreate && (
    <Button
      className={classes.headAction}
      leftSection={<Icon name="plus" size={16} />}
      aria-keyshortcuts="c"
      {...(page === undefined ? { onClick: create } : { renderRoot: (props: object) => <Link to={page} {...props} /> })}
    >
      <span className={classes.tool}>{t('New {noun}', named(words.one))}</span>
    </Button>
  )
  const form = isCreating && (
    <RecordForm
      entityType={entityType}
      opened
      {...(pipelineId === undefined ? {} : { initial: { pipelineId } })}
      onClose={close}
    />
  )
  return { button, dialog: Dialog ? <Dialog opened={isCreating} onClose={close} /> : form }
}

/** Returns the fields of conditions that the kind no longer has. */
function goneFields(kind: Kind | undefined, { group }: ListState): readonly string[] {
  if (kind === undefined || group === undefined) return []
  return conditionsOf(group)
    .map(({ field }) => field)
    .filter((field) => kind.fields.every(({ key }) => key !== field))
}

interface ViewNoticesProps {
  readonly words: ListWords
  readonly group: ListState['group']
  /** The fields of conditions that the kind no longer has. */
  readonly gone: readonly string[]
  readonly isUnknown: boolean
  /** Whether the view lost conditions with their fields. */
  readonly isShortened: boolean
  onFilter(group: WireGroup | undefined): void
}

/** Says what is wrong with the view of a list. */
function ViewNotices({ words, group, gone, isUnknown, isShortened, onFilter }: ViewNoticesProps) {
  return (
    <>
      {isUnknown && (
        <Alert color="yellow" title={t('This view no longer exists')} role="alert">
          {t('All {many} are shown.', { many: words.many })}
        </Alert>
      )}
      {isShortened && gone.length === 0 && (
        <Alert color="yellow" title={t('A field of this filter no longer exists')} role="alert">
          {t('The view goes on without it. Save its changes to remove it for good.')}
        </Alert>
      )}
      {gone.length > 0 && group && (
        <Alert color="yellow" title={t('A field of this filter no longer exists')} role="alert">
          <Button variant="default" size="xs" onClick={() => onFilter(withoutFields(group, gone))}>
            {t('Remove its condition')}
          </Button>
        </Alert>
      )}
    </>
  )
}

interface Shared {
  readonly words: ListWords
  readonly kind: Kind | undefined
  readonly state: ListState
  readonly address: ListAddress
  readonly narrowing: Readonly<Record<string, string>>
  readonly lead: ((record: AnyRecord) => ReactNode) | undefined
  /** The button that creates a record. */
  readonly creation: ReactNode
  change(changed: Partial<ListAddress>, how?: { readonly replace: boolean }): void
  readonly filter: ReturnType<typeof useListFilter>
  go(address: ListAddress, how?: { readonly replace?: boolean; readonly resetScroll?: boolean }): void
}

const layouts: Readonly<Record<Layout, { readonly name: string; readonly icon: IconName }>> = {
  table: { name: t('Table'), icon: 'list' },
  board: { name: t('Board'), icon: 'stages' },
  calendar: { name: t('Calendar'), icon: 'calendar' },
}

function Toolbar({ words, kind, state, change, filter }: Shared) {
  const [isChoosing, setChoosing] = useState(false)
  const offered: readonly Layout[] = kind
    ? [
        'table',
        ...(boardFields(kind).length > 0 ? (['board'] as const) : []),
        ...(calendarFields(kind).length > 0 ? (['calendar'] as const) : []),
      ]
    : []
  return (
    <search className={`${filters.filters} ${classes.toolbar}`}>
      <SearchField
        label={t('Search {many}', { many: words.many })}
        placeholder={words.searched}
        value={state.search ?? ''}
        onSearch={(text) => change({ search: text.trim() || undefined }, { replace: true })}
      />
      {kind && <FilterToggle filter={filter} group={state.group} />}
      {kind && state.layout !== 'calendar' && (
        <SortMenu kind={kind} state={state} onSort={(sorts) => change({ sort: writeSorts(sorts) })} />
      )}
      {kind && state.layout === 'table' && (
        <Button variant="default" leftSection={<Icon name="fields" size={16} />} onClick={() => setChoosing(true)}>
          <span className={classes.tool}>{t('Columns')}</span>
        </Button>
      )}
      {offered.length > 1 && (
        <SegmentedControl
          aria-label={t('Layout')}
          size="sm"
          className={classes.layout}
          data={offered.map((value) => ({ value, label: <LayoutLabel {...layouts[value]} /> }))}
          value={state.layout}
          onChange={(layout) => change({ layout, by: undefined })}
        />
      )}
      {isChoosing && kind && (
        <ColumnsDialog
          kind={kind}
          columns={state.columns}
          density={state.density}
          onDensity={(density) => change({ density }, { replace: true })}
          onChange={(columns) => change({ cols: writeColumns(columns) }, { replace: true })}
          onReset={() => change({ cols: undefined, density: undefined })}
          onClose={() => setChoosing(false)}
        />
      )}
    </search>
  )
}

/** A phone shows the icon alone, so that all layouts stay beside the search. */
function LayoutLabel({ name, icon }: (typeof layouts)[Layout]) {
  return (
    <>
      <span className={classes.layoutIcon} title={name}>
        <Icon name={icon} size={16} />
      </span>
      <span className={classes.tool}>{name}</span>
    </>
  )
}

function SortMenu({
  kind,
  state,
  onSort,
}: {
  readonly kind: Kind
  readonly state: ListState
  onSort(sorts: readonly Sort[]): void
}) {
  const columns = kind.fields.filter(({ sortable }) => sortable)
  const labels = state.sorts.flatMap((sort) => columns.find(({ key }) => key === sort.key)?.label ?? [])
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon name={state.sorts[0]?.order === 'asc' ? 'up' : 'down'} size={16} />}
        >
          <span className={classes.tool}>
            {labels.length > 0 ? t('Sort: {label}', { label: labels.join(', ') }) : t('Sort')}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="22rem" style={{ overflowY: 'auto' }}>
        <Menu.Item
          onClick={() =>
            onSort(state.sorts.map(({ key, order }) => ({ key, order: order === 'asc' ? 'desc' : 'asc' })))
          }
        >
          {t('Reverse order')}
        </Menu.Item>
        <Menu.Divider />
        {columns.map(({ key, label, type }) => (
          <Menu.Item
            key={key}
            aria-current={state.sorts.some((sort) => sort.key === key)}
            fw={state.sorts.some((sort) => sort.key === key) ? 600 : undefined}
            onClick={(event) => onSort(sortedBy(state.sorts, key, firstOrder(type), event.shiftKey))}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Texts are first sorted from A to Z, everything else from the newest or largest. */
function firstOrder(type: string | undefined): Sort['order'] {
  return ['TEXT', 'EMAIL', 'PHONE', 'REFERENCE', undefined].includes(type) ? 'asc' : 'desc'
}

interface EmptyProps extends Shared {
  readonly entityType: string
  readonly total: number
}

/** Says why a list shows nothing, with the ways on from there. */
function Empty({ entityType, words, state, address, total, creation, change, go }: EmptyProps) {
  return (
    <NoRecords
      words={words}
      entityType={entityType}
      total={total}
      isNarrowed={isNarrowed(state)}
      ways={
        <Group justify="center" gap="sm">
          {creation}
          <ImportButton entityType={entityType} />
        </Group>
      }
      onClear={() =>
        go(
          withoutUndefined({
            view: usualViewOf(entityType) === 'all' ? undefined : 'all',
            layout: address.layout,
            cols: address.cols,
          }),
        )
      }
      onFirstPage={() => change({})}
    />
  )
}

/** Rows in the place of those that are loading. */
function Rows({ state, words }: Pick<Shared, 'state' | 'words'>) {
  return (
    <Panel flush>
      <LoadingRows rows={state.pageSize} label={t('Loading {many}', { many: words.many })} />
    </Panel>
  )
}

interface TableProps extends Shared {
  readonly entityType: string
  readonly list: ListRows
}

function Table(props: TableProps) {
  const { entityType, words, kind, state, address, narrowing, lead, change, go, list } = props
  const { rows, total = 0, error, isStale } = list
  const selection = useSelection(`${entityType} ${JSON.stringify(narrowing)}`)
  const client = useQueryClient()
  const kinds = useQuery(kindsQuery)
  // What a person may see can have changed meanwhile.
  const retry = () => void Promise.all([client.invalidateQueries({ queryKey: kindsQuery.queryKey }), list.refetch()])
  const failed = error ?? kinds.error
  const problem = <RefusalAlert error={failed} retry={retry} />
  if (rows === undefined || kind === undefined) return failed ? problem : <Rows state={state} words={words} />
  const columns = gridColumns(state.columns, kind)
  const sort = (key: string, isFurther: boolean) => {
    const type = columns.find((column) => column.sortKey === key)?.field?.type
    change({ sort: writeSorts(sortedBy(state.sorts, key, firstOrder(type), isFurther)) })
  }
  const setColumns = (next: readonly ListColumn[]) => change({ cols: writeColumns(next) }, { replace: true })
  const shown = columns.map(({ key }) => state.columns.find((column) => column.key === key) ?? { key })
  const resize = (key: string, width: number) =>
    setColumns(shown.map((column) => (column.key === key ? { key, width } : column)))
  const reorder = (key: string, before: string) => {
    const moved = shown.find((column) => column.key === key)
    if (moved === undefined || key === before) return
    const rest = shown.filter((column) => column !== moved)
    const at = rest.findIndex((column) => column.key === before)
    setColumns(rest.toSpliced(before === titleKeyOf(kind) ? 1 : at, 0, moved))
  }
  return (
    <>
      {/* What was read stays beside it, with the cell that somebody edits. */}
      {problem}
      <Panel flush density={state.density}>
        {total === 0 ? (
          <Empty {...props} entityType={entityType} total={total} />
        ) : (
          <Grid
            label={words.title}
            kind={kind}
            state={state}
            columns={columns}
            rows={rows}
            total={total}
            isStale={isStale}
            of={JSON.stringify([narrowing, state.sorts])}
            beginsAt={(state.page - 1) * state.pageSize}
            onShow={list.show}
            choice={choiceOf(kind, selection, [...rows.values()])}
            lead={lead}
            peeked={address.peek}
            onPeek={(id) =>
              go({ ...address, peek: id === address.peek ? undefined : id }, { replace: address.peek !== undefined })
            }
            onSort={sort}
            onWidth={resize}
            onOrder={reorder}
            onFilter={(condition) => go(addressWith(address, state, condition))}
            onSums={(sums) => change({ sums: writeSums(sums).join(',') || 'none' }, { replace: true })}
          />
        )}
      </Panel>
      <BulkBar entityType={entityType} selection={selection} query={narrowing} total={total} />
    </>
  )
}

function bodyOf(state: ListState, address: ListAddress, viewId: string): ViewBody {
  const { layout, by, columns } = state
  const [first = { key: 'createdAt', order: 'desc' as const }, ...further] = state.sorts
  const widths = columns.flatMap(({ key, width }) => (width === undefined ? [] : [[key, width] as const]))
  const sums = writeSums(state.sums).filter((sum) => /^(sum|avg|min|max):/.test(sum))
  return {
    query: { ...narrowingOf(state), ...(further.length === 0 ? {} : { thenBy: writeSorts(further) }) },
    sortBy: first.key,
    sortOrder: first.order,
    density: state.density ?? null,
    view: layout === 'board' ? 'KANBAN' : layout === 'calendar' ? 'CALENDAR' : 'LIST',
    columns: address.cols === undefined && viewId === 'all' ? [] : columns.map(({ key }) => key),
    columnWidths: Object.fromEntries(widths),
    groupBy: layout === 'board' ? (by ?? null) : null,
    dateField: layout === 'calendar' ? (by ?? 'createdAt') : null,
    measures: sums.slice(0, 8),
  }
}

function viewName(id: string, name: string | undefined): string {
  return id === 'mine' ? t('Mine') : (name ?? t('All'))
}

function withoutUndefined(address: ListAddress): ListAddress {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined))
}
