import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import classes from '../../records/linked-records.module.css'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { documentAddresses } from './finance-address.ts'
import { StatusMark } from './finance-marks.tsx'
import { newestQuery, type DocumentParty } from './finance-queries.ts'
import { amountInWords, documentTitle, financeKinds, kindWords, type FinanceKind } from './finance-words.ts'
import { named, t } from '../../base/texts.ts'

interface LinkedDocumentsProps {
  /** New documents get it too. */
  readonly of: DocumentParty
}

/** The newest quotes, orders and invoices of a company, a contact or a deal, as far as the person may see them. */
export function LinkedDocuments({ of }: LinkedDocumentsProps) {
  const { may } = useSession()
  return financeKinds
    .filter((kind) => may(`VIEW_${kind}`))
    .map((kind) => <LinkedPanel key={kind} kind={kind} of={of} />)
}

function LinkedPanel({ kind, of }: LinkedDocumentsProps & { readonly kind: FinanceKind }) {
  const { may } = useSession()
  const { data, error, refetch } = useQuery(newestQuery(kind, of))
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
          {data.items.map((record) => (
            <li key={record.id}>
              <Link to={documentAddresses[kind].one} params={{ id: record.id }}>
                {documentTitle(kind, record)}
              </Link>
              <span className={classes.mark}>
                {amountInWords(record.total, record.currency)} <StatusMark record={record} />
              </span>
            </li>
          ))}
          {data.total > data.items.length && (
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
