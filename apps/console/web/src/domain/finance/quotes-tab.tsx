import type { QuoteRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import { named, t } from '../../base/texts.ts'
import { RecordTable, RowNote } from '../../records/record-table.tsx'
import records from '../../records/record-table.module.css'
import type { RecordTab } from '../../records/record-activity.tsx'
import { Age } from '../../shell/age.tsx'
import { Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { documentAddresses } from './finance-address.ts'
import { StatusMark } from './finance-marks.tsx'
import { quotesQuery, type DocumentParty } from './finance-queries.ts'
import { amountInWords, documentTitle, kindWords } from './finance-words.ts'
import { addressOf } from '../../records/record-place.ts'

/** The quotes for a company, a contact or a deal, newest first. */
function Quotes({ party }: { readonly party: DocumentParty }) {
  const { may } = useSession()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(quotesQuery(party))
  const quotes = data?.pages.flatMap(({ items }) => items)
  const add = may('CREATE_QUOTE') && (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => <Link to={documentAddresses.QUOTE.begin} search={party} {...props} />}
    >
      {t('New {noun}', named(kindWords.QUOTE.one))}
    </Button>
  )
  return (
    <Panel title={kindWords.QUOTE.title} actions={add}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {quotes === undefined && error === null && (
        <LoadingLines lines={3} label={t('Loading {many}', { many: kindWords.QUOTE.many })} />
      )}
      {quotes?.length === 0 && <EmptyState title={t('No {many} yet', { many: kindWords.QUOTE.many })} />}
      {quotes !== undefined && quotes.length > 0 && <QuotesTable quotes={quotes} />}
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Panel>
  )
}

function QuotesTable({ quotes }: { readonly quotes: readonly QuoteRecord[] }) {
  return (
    <RecordTable
      label={kindWords.QUOTE.title}
      rows={quotes}
      columns={[
        {
          label: t('Number'),
          cell: (quote) => (
            <>
              <Link {...addressOf({ entityType: 'QUOTE', entityId: quote.id })} className={records.name}>
                {documentTitle('QUOTE', quote)}
              </Link>
              <RowNote>
                <Age at={quote.createdAt} />
              </RowNote>
            </>
          ),
        },
        { label: t('Status'), cell: (quote) => <StatusMark record={quote} /> },
        { label: t('Total'), cell: ({ total, currency }) => amountInWords(total, currency) },
      ]}
    />
  )
}

/** Returns the quotes of a company, a contact or a deal as a tab of its page. */
export function quotesTab(party: DocumentParty): RecordTab {
  return { key: 'quotes', label: kindWords.QUOTE.title, needs: ['VIEW_QUOTE'], content: <Quotes party={party} /> }
}
