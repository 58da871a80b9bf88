import { decimalShown } from '../../base/decimals.ts'
import { useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { amountInWords, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { RecordTable, RowTitle } from '../../records/record-table.tsx'
import { EmptyState } from '../../shell/states.tsx'
import classes from './finance.module.css'
import { Totals } from './totals.tsx'
import { t } from './texts.ts'

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
  if (items.length === 0) return <EmptyState title={t('No lines yet')} />
  return (
    <>
      <RecordTable
        label={t('Lines')}
        rows={items}
        columns={[
          { label: t('Item'), cell: ({ name, description }) => <RowTitle note={description}>{name}</RowTitle> },
          {
            label: t('Quantity'),
            isNumber: true,
            cell: ({ quantity, unitId }) =>
              `${decimalShown(quantity)} ${unitOf(unitId)?.symbol ?? unitOf(unitId)?.name ?? ''}`,
          },
          {
            label: t('Unit price'),
            isNumber: true,
            isExtra: true,
            cell: ({ unitPrice }) => amountInWords(unitPrice, currency),
          },
          {
            label: t('Discount'),
            isNumber: true,
            isExtra: true,
            cell: ({ discount }) => describeDiscount(discount, currency),
          },
          { label: t('Net'), isNumber: true, cell: ({ net }) => amountInWords(net, currency) },
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
