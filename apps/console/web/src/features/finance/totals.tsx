import type { DocumentTotals } from '@crm/pricing'
import { amountInWords } from '../../domain/finance/finance-words.ts'
import classes from './finance.module.css'
import { t } from './texts.ts'
import { inDigits } from '../../base/texts.ts'

interface TotalsProps {
  readonly currency: string
  readonly totals: Omit<DocumentTotals, 'lines'>
  /** Sums below the total, such as the paid amount. */
  readonly more?: readonly (readonly [name: string, amount: string])[]
}

/** The totals of a document: the sum of its lines, the discounts, the taxes and the total. */
export function Totals({ currency, totals, more = [] }: TotalsProps) {
  const { subtotal, discountTotal, taxes, total } = totals
  const hasDiscount = Number(discountTotal) !== 0
  return (
    <dl className={classes.totals} aria-label={t('Totals')}>
      <Sum name={t('Subtotal')} amount={subtotal} currency={currency} />
      {hasDiscount && <Sum name={t('Discount')} amount={`-${discountTotal}`} currency={currency} />}
      {taxes.map(({ taxRateId, name, rate, amount, base }) => (
        <Sum
          key={taxRateId}
          name={taxInWords(name, rate)}
          note={t('of {base}', { base: amountInWords(base, currency) })}
          amount={amount}
          currency={currency}
        />
      ))}
      <Sum name={t('Total')} amount={total} currency={currency} isTotal />
      {more.map(([name, amount]) => (
        <Sum key={name} name={name} amount={amount} currency={currency} />
      ))}
    </dl>
  )
}

/** Returns the name of a tax with its rate, unless the name says the rate itself. */
function taxInWords(name: string, rate: string): string {
  const percent = inDigits(Number(rate), { maximumFractionDigits: 6 })
  return name.includes(percent) ? name : `${name} ${percent}${percentSign}`
}

/** French, German and others set the sign apart. */
const percentSign = inDigits(0, { style: 'percent' }).slice(1)

interface SumProps {
  readonly name: string
  readonly note?: string
  readonly amount: string
  readonly currency: string
  readonly isTotal?: boolean
}

function Sum({ name, note, amount, currency, isTotal }: SumProps) {
  return (
    <div className={classes.sum} data-total={isTotal}>
      <dt>
        {name}
        {note !== undefined && <span className={classes.note}> {note}</span>}
      </dt>
      <dd>{amountInWords(amount, currency)}</dd>
    </div>
  )
}
