import type { DealRecord } from '@crm/contract'
import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { beside } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { named, t } from '../../base/texts.ts'
import { documentAddresses } from '../../domain/finance/finance-address.ts'
import { StatusMark } from '../../domain/finance/finance-marks.tsx'
import { amountInWords, documentTitle, kindWords, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { summaryQuery } from '../../records/list/list-queries.ts'
import { MoveDialog } from '../../records/list/move-dialog.tsx'
import { sumInWords } from '../../records/list/totals.tsx'
import { useMove } from '../../records/list/use-move.ts'
import { useKind, type Kind } from '../../records/record-kinds.ts'
import { addressOf } from '../../records/record-place.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import classes from './deal-papers.module.css'

const shownMax = 5

/** Reads the newest quotes of a deal. */
const quotesQuery = (dealId: string) => ({
  queryKey: ['quotes', 'of deal', dealId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await beside.crm.quotes.list({ query: { dealId, limit: shownMax }, signal })).items,
})

/** Reads the newest invoices of a deal. */
const invoicesQuery = (dealId: string) => ({
  queryKey: ['invoices', 'of deal', dealId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await beside.crm.invoices.list({ query: { dealId, limit: shownMax }, signal })).items,
})

/** The states in which a quote has been made to the customer, and an invoice asks for money. */
const quoted = 'SENT,ACCEPTED,CONVERTED'
const invoiced = 'ISSUED,PARTIALLY_PAID,PAID,UNCOLLECTIBLE'

/** What was quoted, invoiced and paid of a deal, its newest quotes and invoices, and the way to new ones. */
export function DealPapers({ deal: { id } }: { readonly deal: DealRecord }) {
  const { may } = useSession()
  const [seesQuotes, seesInvoices] = [may('VIEW_QUOTE'), may('VIEW_INVOICE')]
  const { data: quotes = [] } = useQuery({ ...quotesQuery(id), enabled: seesQuotes })
  const { data: invoices = [] } = useQuery({ ...invoicesQuery(id), enabled: seesInvoices })
  const offers = useQuery({
    ...summaryQuery('QUOTE', { dealId: id, status: quoted, measures: 'sum:total' }, beside.crm),
    enabled: quotes.length > 0,
  }).data
  const bills = useQuery({
    ...summaryQuery('INVOICE', { dealId: id, status: invoiced, measures: 'sum:total,sum:amountPaid' }, beside.crm),
    enabled: invoices.length > 0,
  }).data
  const writable = (['QUOTE', 'INVOICE'] as const).filter((kind) => may(`CREATE_${kind}`))
  const count = quotes.length + invoices.length
  if (count === 0 && writable.length === 0) return null
  return (
    <Panel title={t('Quotes and invoices')}>
      {count > 0 && (
        <Facts
          facts={[
            ...(offers === undefined ? [] : [[t('Quoted'), sumInWords(offers.totals, 'total') ?? '–'] as const]),
            ...(bills === undefined
              ? []
              : [
                  [t('Invoiced'), sumInWords(bills.totals, 'total') ?? '–'] as const,
                  [t('Paid'), sumInWords(bills.totals, 'amountPaid') ?? '–'] as const,
                ]),
          ]}
        />
      )}
      {count > 0 && (
        <ul className={classes.papers} aria-label={t('Quotes and invoices')}>
          {quotes.map((quote) => (
            <Paper key={quote.id} kind="QUOTE" record={quote} />
          ))}
          {invoices.map((invoice) => (
            <Paper key={invoice.id} kind="INVOICE" record={invoice} />
          ))}
        </ul>
      )}
      {writable.length > 0 && (
        <div className={classes.begin}>
          {writable.map((kind) => (
            <Button
              key={kind}
              variant="default"
              size="compact-sm"
              renderRoot={(props) => <Link to={documentAddresses[kind].begin} search={{ dealId: id }} {...props} />}
            >
              {t('New {noun}', named(kindWords[kind].one))}
            </Button>
          ))}
        </div>
      )}
    </Panel>
  )
}

function Paper({ kind, record }: { readonly kind: 'QUOTE' | 'INVOICE'; readonly record: FinanceRecord }) {
  return (
    <li className={classes.paper}>
      <Link {...addressOf({ entityType: kind, entityId: record.id })} className={classes.name}>
        {documentTitle(kind, record)}
      </Link>
      <StatusMark record={record} />
      <span className={classes.amount}>{amountInWords(record.total, record.currency)}</span>
    </li>
  )
}

/** Says that a quote of an open deal was accepted, and offers to win the deal. */
export function AcceptedQuote({ deal }: { readonly deal: DealRecord }) {
  const { may } = useSession()
  const kind = useKind('DEAL')
  const isAsked = deal.status === 'OPEN' && may('VIEW_QUOTE')
  const { data: quotes = [] } = useQuery({ ...quotesQuery(deal.id), enabled: isAsked })
  const accepted = isAsked ? quotes.find(({ status }) => status === 'ACCEPTED' || status === 'CONVERTED') : undefined
  if (accepted === undefined || kind === undefined) return null
  return <Accepted deal={deal} kind={kind} title={documentTitle('QUOTE', accepted)} quoteId={accepted.id} />
}

interface AcceptedProps {
  readonly deal: DealRecord
  readonly kind: Kind
  readonly title: string
  readonly quoteId: string
}

function Accepted({ deal, kind, title, quoteId }: AcceptedProps) {
  const { move, asked, request, cancel } = useMove(kind)
  const field = kind.fields.find(({ key }) => key === 'stageId')
  const stages = kind.pipelines.find(({ id }) => id === deal.pipelineId)?.stages ?? []
  const won = stages.find(({ type }) => type === 'WON')
  return (
    <Alert color="teal" icon={<Icon name="check" />} role="note">
      <div className={classes.accepted}>
        <span>
          {t.rich('The quote <link>{title}</link> was accepted.', {
            title,
            link: (text) => <Link {...addressOf({ entityType: 'QUOTE', entityId: quoteId })}>{text}</Link>,
          })}
        </span>
        {won && field && kind.may.update && (
          <Button
            size="xs"
            loading={move.isPending}
            onClick={() => request({ record: deal, field, lane: { value: won.id, label: won.name, stage: won } })}
          >
            {t('Mark as won')}
          </Button>
        )}
      </div>
      <RefusalAlert error={asked === null ? move.error : null} />
      {asked && <MoveDialog kind={kind} move={asked} change={move} onClose={cancel} />}
    </Alert>
  )
}
