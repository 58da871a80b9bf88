import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import classes from '../../records/linked-records.module.css'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { documentAddresses, invoiceAddress, orderAddress, quoteAddress } from './finance-address.ts'
import { StatusMark } from './finance-marks.tsx'
import { invoicesQuery, ordersQuery, quotesQuery } from './finance-queries.ts'
import { amountInWords, documentTitle, kindWords, type FinanceKind, type FinanceRecord } from './finance-words.ts'
import { named, t } from '../../base/texts.ts'

const shownMax = 5

interface LinkedDocumentsProps {
  /** The company, contact or deal of the documents; new ones get it too. */
  readonly of: { readonly companyId: string } | { readonly contactId: string } | { readonly dealId: string }
}

interface Reading {
  readonly data: { readonly items: readonly FinanceRecord[]; readonly total: number } | undefined
  readonly error: Error | null
  refetch(): unknown
}

/** The newest quotes, orders and invoices of a company, a contact or a deal, as far as the person may see them. */
export function LinkedDocuments({ of }: LinkedDocumentsProps) {
  const { may } = useSession()
  return (
    <>
      {may('VIEW_QUOTE') && <LinkedQuotes of={of} />}
      {may('VIEW_ORDER') && <LinkedOrders of={of} />}
      {may('VIEW_INVOICE') && <LinkedInvoices of={of} />}
    </>
  )
}

function LinkedQuotes({ of }: LinkedDocumentsProps) {
  return <LinkedPanel kind="QUOTE" of={of} reading={useQuery(quotesQuery(quoteAddress.queryOf(of)))} />
}

function LinkedOrders({ of }: LinkedDocumentsProps) {
  return <LinkedPanel kind="ORDER" of={of} reading={useQuery(ordersQuery(orderAddress.queryOf(of)))} />
}

function LinkedInvoices({ of }: LinkedDocumentsProps) {
  return <LinkedPanel kind="INVOICE" of={of} reading={useQuery(invoicesQuery(invoiceAddress.queryOf(of)))} />
}

function LinkedPanel({
  kind,
  of,
  reading: { data, error, refetch },
}: LinkedDocumentsProps & { readonly kind: FinanceKind; readonly reading: Reading }) {
  const { may } = useSession()
  const { title, one, many } = kindWords[kind]
  const { list, begin } = documentAddresses[kind]
  const add = may(`CREATE_${kind}`) && (
    <Button renderRoot={(props) => <Link to={begin} search={of} {...props} />} variant="subtle" size="compact-xs">
      {t('finance.newNoun', named(one))}
    </Button>
  )
  return (
    <Panel title={title} actions={add} isEmpty={data?.total === 0}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={2} label={t('finance.loadingMany', { many })} />}
      {data !== undefined && data.total > 0 && (
        <ul className={classes.linked} aria-label={title}>
          {data.items.slice(0, shownMax).map((record) => (
            <li key={record.id}>
              <Link to={documentAddresses[kind].one} params={{ id: record.id }}>
                {documentTitle(kind, record)}
              </Link>
              <span className={classes.mark}>
                {amountInWords(record.total, record.currency)} <StatusMark record={record} />
              </span>
            </li>
          ))}
          {data.total > shownMax && (
            <li>
              <Link to={list} search={of}>
                {t('finance.allDocuments', { documents: t(`kinds.${kind}.count`, { count: data.total }) })}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Panel>
  )
}
