import { useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { amountInWords, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { EmptyState } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import classes from './finance.module.css'
import { Totals } from './totals.tsx'

/** The lines of a document and what they come to. */
export function DocumentLines({ record, more }: { readonly record: FinanceRecord; readonly more?: readonly (readonly [name: string, amount: string])[] }) {
  const { units } = useCatalogueLists()
  const { items, currency } = record
  const unitOf = (id: string | null) => units.find((unit) => unit.id === id)
  if (items.length === 0) return <EmptyState title="No lines yet" />
  return (
    <>
      <table className={`${tables.table} ${classes.table}`} aria-label="Lines">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" data-number>Quantity</th>
            <th scope="col" data-number data-extra>Unit price</th>
            <th scope="col" data-number data-extra>Discount</th>
            <th scope="col" data-number>Net</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ name, description, quantity, unitId, unitPrice, discount, net }, at) => (
            <tr key={at}>
              <td><div className={tables.title}>{name}</div>{description !== null && <div className={classes.lineNote}>{description}</div>}</td>
              <td data-number>{quantity} {unitOf(unitId)?.symbol ?? unitOf(unitId)?.name}</td>
              <td data-number data-extra>{amountInWords(unitPrice, currency)}</td>
              <td data-number data-extra>{describeDiscount(discount, currency)}</td>
              <td data-number>{amountInWords(net, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.tableTotals}><Totals currency={currency} totals={record} {...(more === undefined ? {} : { more })} /></div>
    </>
  )
}

function describeDiscount(discount: FinanceRecord['items'][number]['discount'], currency: string): string {
  if (discount === null) return '–'
  if (typeof discount === 'string') return amountInWords(discount, currency)
  return discount.type === 'PERCENT' ? `${discount.value} %` : amountInWords(discount.value, currency)
}
