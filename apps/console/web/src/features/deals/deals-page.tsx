import { dealStatuses } from '@crm/contract'
import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { BulkBar } from '../../records/bulk-bar.tsx'
import { ChoiceFilter } from '../../records/choice-filter.tsx'
import { inWords } from '../../records/field-words.ts'
import { choiceOf } from '../../records/list-choice.ts'
import { describeMoney } from '../../records/money.ts'
import { usePipelines } from '../../records/pipelines.ts'
import { useKind } from '../../records/record-kinds.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { RowTitle } from '../../records/record-table.tsx'
import { narrowingOf, wishOf } from '../../records/saved-filter-address.ts'
import { SavedFilters } from '../../records/saved-filters.tsx'
import { SearchField } from '../../records/search-field.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useSelection } from '../../records/selection.ts'
import { Age } from '../../shell/age.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { DealStatusMark } from './deal-marks.tsx'
import { dealsQuery } from './deal-queries.ts'
import { dealQueryOf, dealSorts, readDealSearch, type DealSearch } from './deal-search.ts'
import { DealsBoard } from './deals-board.tsx'

const route = getRouteApi('/console/deals')

/** The deals as a board by stage or as a list; the address holds all of its parameters. */
export function DealsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const pipelines = usePipelines('DEAL')
  const pipeline = pipelines.find(({ id }) => id === search.pipelineId) ?? pipelines.find(({ isDefault }) => isDefault)
  const isBoard = search.view !== 'list' && pipeline !== undefined
  const change = (next: Readonly<Record<string, unknown>>, replace = false) =>
    void navigate({ search: readDealSearch({ ...search, page: undefined, ...next }), replace, resetScroll: false })
  return (
    <Page
      title="Deals"
      actions={
        <>
          <Button variant="default" onClick={() => change({ view: isBoard ? 'list' : undefined })}>
            {isBoard ? 'Show as list' : 'Show as board'}
          </Button>
          <ExportButton
            entityType="DEAL"
            query={isBoard ? { search: search.search, pipelineId: pipeline.id } : dealQueryOf(search)}
          />
          {may('CREATE_DEAL') && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
              New deal
            </Button>
          )}
        </>
      }
    >
      <DealFilters
        search={search}
        isBoard={isBoard}
        pipelines={pipelines}
        pipelineId={isBoard ? pipeline.id : search.pipelineId}
        onChange={change}
        onGo={(next) => void navigate({ search: next, resetScroll: false })}
      />
      {isBoard ? (
        <DealsBoard pipeline={pipeline} search={search.search} />
      ) : (
        <DealList search={search} onPage={(page) => change({ page })} />
      )}
      <RecordForm
        entityType="DEAL"
        opened={isCreating}
        {...(search.pipelineId === undefined ? {} : { initial: { pipelineId: search.pipelineId } })}
        onClose={() => setCreating(false)}
      />
    </Page>
  )
}

interface DealFiltersProps {
  readonly search: DealSearch
  readonly isBoard: boolean
  readonly pipelines: ReturnType<typeof usePipelines>
  readonly pipelineId: string | undefined
  onChange(change: Readonly<Record<string, unknown>>, replace?: boolean): void
  onGo(search: DealSearch): void
}

function DealFilters({ search, isBoard, pipelines, pipelineId, onChange, onGo }: DealFiltersProps) {
  // The board shows no status, so a saved filter does not contain it.
  const wished = isBoard ? { ...dealQueryOf(search), status: undefined } : dealQueryOf(search)
  return (
    <search>
      <Group gap="xs">
        <SearchField
          label="Search deals"
          placeholder="Name"
          value={search.search ?? ''}
          onSearch={(text) => onChange({ search: text }, true)}
        />
        {pipelines.length > 1 && (
          <NativeSelect
            aria-label="Pipeline"
            value={pipelineId ?? ''}
            onChange={(event) => onChange({ pipelineId: event.currentTarget.value })}
            data={[
              ...(isBoard ? [] : [{ value: '', label: 'Any pipeline' }]),
              ...pipelines.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        {!isBoard && (
          <>
            <ChoiceFilter
              label="Status"
              value={search.status}
              onChange={(value) => onChange({ status: value })}
              choices={dealStatuses.map((value) => ({ value, label: inWords(value) }))}
            />
            <NativeSelect
              aria-label="Order"
              value={search.sort ?? 'createdAt:desc'}
              onChange={(event) => onChange({ sort: event.currentTarget.value })}
              data={Object.entries(dealSorts).map(([value, label]) => ({ value, label }))}
            />
          </>
        )}
        <SavedFilters
          entityType="DEAL"
          search={search}
          wish={wishOf(wished)}
          view={isBoard ? 'KANBAN' : 'LIST'}
          read={readDealSearch}
          onGo={onGo}
        />
      </Group>
    </search>
  )
}

function DealList({ search, onPage }: { readonly search: DealSearch; onPage(page: number): void }) {
  const query = dealQueryOf(search)
  const deals = useQuery(dealsQuery(query))
  const owners = usePeopleNames(deals.data?.items.map(({ ownerId }) => ownerId))
  const kind = useKind('DEAL')
  const asked = narrowingOf(query)
  const selection = useSelection(JSON.stringify(asked))
  const stages = new Map(usePipelines('DEAL').flatMap((pipeline) => pipeline.stages.map(({ id, name }) => [id, name])))
  return (
    <>
      <TablePanel
        label="Deals"
        isLinked
        choice={kind && deals.data && choiceOf(kind, selection, deals.data.items)}
        reading={deals}
        page={query.page}
        onPage={onPage}
        isCounted
        empty={
          <EmptyState title="No deal here">
            Deals come from leads that are converted, from the API, and those that you add.
          </EmptyState>
        }
        columns={[
          {
            label: 'Name',
            cell: ({ id, name }) => (
              <RowTitle>
                <Link to="/deals/$id" params={{ id }}>
                  {name}
                </Link>
              </RowTitle>
            ),
          },
          { label: 'Amount', cell: ({ amount, currency }) => describeMoney(amount, currency) ?? '–' },
          { label: 'Status', cell: ({ status }) => <DealStatusMark status={status} /> },
          { label: 'Stage', isExtra: true, cell: ({ stageId }) => stages.get(stageId) ?? '–' },
          {
            label: 'Closes',
            isExtra: true,
            cell: ({ expectedCloseDate }) => (expectedCloseDate === null ? '–' : describeDay(expectedCloseDate, 'UTC')),
          },
          { label: 'Owner', isExtra: true, cell: ({ ownerId }) => (ownerId && owners.get(ownerId)) ?? '–' },
          { label: 'Created', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
      />
      {deals.data && <BulkBar entityType="DEAL" selection={selection} query={asked} total={deals.data.total} />}
    </>
  )
}
