import type { ProductRecord } from '@crm/contract'
import type { LineTotals } from '@crm/pricing'
import { ActionIcon, Button, NativeSelect, Textarea } from '@mantine/core'
import { useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { ItemField } from '../../domain/catalogue/item-field.tsx'
import { isQuantity, useListPriceOf, usePriceOf, type AskedPrice } from '../../domain/catalogue/product-prices.ts'
import { amountInWords } from '../../domain/finance/finance-words.ts'
import { choicesOf } from '../../records/choices.ts'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Icon } from '../../shell/icons.tsx'
import { hasAskedPrice, newLine, type DiscountDraft, type DocumentDraft, type LineDraft } from './document-draft.ts'
import classes from './finance.module.css'
import { t } from './texts.ts'
import { inSentence } from '../../base/texts.ts'

interface LinesEditorProps {
  readonly draft: DocumentDraft
  readonly totals: readonly LineTotals[]
  /** Returns the API's problem by the key of the line and the field. */
  errorOf(line: LineDraft, field: string): string | undefined
  onChange(change: (lines: readonly LineDraft[]) => readonly LineDraft[]): void
}

/** The lines of a document, each with its amount beside it. */
export function LinesEditor({ draft, totals, errorOf, onChange }: LinesEditorProps) {
  const { lines, currency } = draft
  const priceOf = usePriceOf(draft)
  const listPriceOf = useListPriceOf(draft)
  const update = (key: string, change: Partial<LineDraft>) =>
    onChange((all) => all.map((line) => (line.key === key ? { ...line, ...change } : line)))
  /** Sets the price of a line, unless it was typed in the meantime or the line has changed since. */
  const price = ({ key, productId, quantity }: LineDraft, { unitPrice, total }: AskedPrice) =>
    onChange((all) =>
      all.map((line) =>
        line.key === key && line.productId === productId && line.quantity === quantity && hasAskedPrice(line)
          ? {
              ...line,
              unitPrice,
              askedPrice: unitPrice,
              listed: total === null ? null : { quantity, unitPrice, total },
            }
          : line,
      ),
    )
  const choose = async (line: LineDraft, product: ProductRecord) => {
    const { id, name, unitId, taxRateId } = product
    update(line.key, { productId: id, name, unitId, taxRateId, unitPrice: '', askedPrice: '' })
    price({ ...line, productId: id }, await priceOf(product, line.quantity))
  }
  const change = async (line: LineDraft, changed: Partial<LineDraft>) => {
    update(line.key, changed)
    const { quantity = line.quantity } = changed
    if (line.productId === null || !hasAskedPrice(line) || quantity === line.quantity || !isQuantity(quantity)) return
    const asked = await listPriceOf(line.productId, quantity)
    if (asked !== undefined) price({ ...line, quantity }, asked)
  }
  return (
    <div className={classes.lines}>
      {lines.map((line, at) => (
        <LineFields
          key={line.key}
          line={line}
          label={t('Line {number}', { number: at + 1 })}
          currency={currency}
          taxMode={draft.taxMode}
          totals={totals[at]}
          errorOf={(field) => errorOf(line, field)}
          onChange={(changed) => void change(line, changed)}
          onChoose={(product) => void choose(line, product)}
          onMoveUp={
            at === 0 ? undefined : () => onChange((all) => all.with(at - 1, line).with(at, all[at - 1] ?? line))
          }
          onRemove={() => onChange((all) => all.filter(({ key }) => key !== line.key))}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange((all) => [...all, newLine()])}
        >
          {t('Add line')}
        </Button>
      </div>
    </div>
  )
}

interface LineFieldsProps {
  readonly line: LineDraft
  readonly label: string
  readonly currency: string
  readonly taxMode: DocumentDraft['taxMode']
  readonly totals: LineTotals | undefined
  errorOf(field: string): string | undefined
  onChange(change: Partial<LineDraft>): void
  onChoose(product: ProductRecord): void
  /** Moves the line up; absent for the first line. */
  readonly onMoveUp: (() => void) | undefined
  onRemove(): void
}

function LineFields({
  line,
  label,
  currency,
  taxMode,
  totals,
  errorOf,
  onChange,
  onChoose,
  onMoveUp,
  onRemove,
}: LineFieldsProps) {
  const { units, taxRates } = useCatalogueLists()
  const activeRates = taxRates.filter(({ isActive, id }) => isActive || id === line.taxRateId)
  return (
    <div role="group" aria-label={label} className={classes.line}>
      <ItemField
        className={classes.item}
        name={line.name}
        error={errorOf('name') ?? errorOf('productId')}
        onChange={onChange}
        onChoose={onChoose}
      />
      <DecimalInput
        className={classes.quantity}
        label={t('Quantity')}
        value={line.quantity}
        error={errorOf('quantity')}
        onChange={(quantity) => onChange({ quantity })}
      />
      <DecimalInput
        className={classes.price}
        label={t('Unit price')}
        placeholder="0"
        value={line.unitPrice}
        error={errorOf('unitPrice')}
        onChange={(unitPrice) => onChange({ unitPrice })}
      />
      <DiscountField
        className={classes.discount}
        discount={line.discount}
        currency={currency}
        error={errorOf('discount') ?? errorOf('discount.value')}
        onChange={(discount) => onChange({ discount })}
      />
      <NativeSelect
        className={classes.tax}
        label={t('Tax')}
        disabled={taxMode === 'NONE'}
        value={line.taxRateId ?? ''}
        error={errorOf('taxRateId')}
        onChange={(event) => onChange({ taxRateId: event.currentTarget.value || null })}
        data={choicesOf(activeRates, line.taxRateId)}
      />
      <div className={classes.lineTotal}>
        <span className={classes.lineTotalName}>{t('Net')}</span>
        <output>{amountInWords(totals?.net ?? '0', currency)}</output>
      </div>
      <div className={classes.remove}>
        {onMoveUp && (
          <ActionIcon aria-label={t('Move {label} up', { label: inSentence(label) })} onClick={onMoveUp}>
            <Icon name="up" size={16} />
          </ActionIcon>
        )}
        <ActionIcon aria-label={t('Remove {label}', { label: inSentence(label) })} onClick={onRemove}>
          <Icon name="cross" size={16} />
        </ActionIcon>
      </div>
      <Textarea
        className={classes.description}
        label={t('Description')}
        rows={1}
        autosize={false}
        value={line.description}
        error={errorOf('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.unit}
        label={t('Unit')}
        value={line.unitId ?? ''}
        error={errorOf('unitId')}
        onChange={(event) => onChange({ unitId: event.currentTarget.value || null })}
        data={choicesOf(units, line.unitId)}
      />
    </div>
  )
}

interface DiscountFieldProps {
  readonly className?: string | undefined
  readonly label?: string
  readonly discount: DiscountDraft
  readonly currency: string
  readonly error: string | undefined
  onChange(discount: DiscountDraft): void
}

/** A discount in per cent or as an amount. */
export function DiscountField({
  className,
  label = t('Discount'),
  discount,
  currency,
  error,
  onChange,
}: DiscountFieldProps) {
  return (
    <div className={className}>
      <DecimalInput
        label={label}
        value={discount.value}
        error={error}
        onChange={(value) => onChange({ ...discount, value })}
        rightSectionWidth="3.75rem"
        rightSection={
          <NativeSelect
            aria-label={t('{label} in', { label })}
            variant="unstyled"
            size="xs"
            classNames={{ input: classes.discountType ?? '' }}
            rightSectionWidth="1rem"
            value={discount.type}
            onChange={(event) =>
              onChange({ ...discount, type: event.currentTarget.value === 'AMOUNT' ? 'AMOUNT' : 'PERCENT' })
            }
            data={[
              { value: 'PERCENT', label: '%' },
              { value: 'AMOUNT', label: currency },
            ]}
          />
        }
      />
    </div>
  )
}
