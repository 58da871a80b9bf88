import { decimalShown } from '../../base/decimals.ts'
import { useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { amountInWords, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { RecordTable, RowTitle } from '../../records/record-table.tsx'
import { EmptyState } from '../../shell/states.tsx'
import classes from './finance.module.css'
import { Totals } from './totals.tsx'
import { t } from '../../base/texts.ts'

/** The lines of a document with its totals. */
export function DocumentLines({
  record,
  more,
}: {
  readonly record: FinanceRecord
  readonly more?: readonly (readonly [name: string, amount: string])[]
}) {
  const { units } = useCatalogueLists()
  const { items, currency } = record
  const unitOf = (id: string | null) => units.find((unit) => unit.id === id)
  if (items.length === 0) return <EmptyState title={t('finance.noLinesYet')} />
  return (
    <>
      <RecordTable
        label={t('finance.lines')}
        rows={items}
        columns={[
          { label: t('finance.item'), cell: ({ name, description }) => <RowTitle note={description}>{name}</RowTitle> },
          {
            label: t('finance.quantity'),
            isNumber: true,
            cell: ({ quantity, unitId }) =>
              `${decimalShown(quantity)} ${unitOf(unitId)?.symbol ?? unitOf(unitId)?.name ?? ''}`,
          },
          {
            label: t('finance.unitPrice'),
            isNumber: true,
            isExtra: true,
            cell: ({ unitPrice }) => amountInWords(unitPrice, currency),
          },
          {
            label: t('finance.discount'),
            isNumber: true,
            isExtra: true,
            cell: ({ discount }) => describeDiscount(discount, currency),
          },
          { label: t('finance.net'), isNumber: true, cell: ({ net }) => amountInWords(net, currency) },
        ]}
      />
      <div className={classes.tableTotals}>
        <Totals currency={currency} totals={record} {...(more === undefined ? {} : { more })} />
      </div>
    </>
  )
}

function describeDiscount(discount: FinanceRecord['items'][number]['discount'], currency: string): string {
  if (discount === null) return '–'
  if (typeof discount === 'string') return amountInWords(discount, currency)
  return discount.type === 'PERCENT' ? `${decimalShown(discount.value)} %` : amountInWords(discount.value, currency)
}
