import type { DealRecord, ProductRecord } from '@crm/contract'
import { sumOfItems } from '@crm/pricing'
import { ActionIcon, Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { decimalShown } from '../../base/decimals.ts'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { ItemField } from '../../domain/catalogue/item-field.tsx'
import { usePriceOf } from '../../domain/catalogue/product-prices.ts'
import { describeMoney } from '../../records/money.ts'
import { RecordTable } from '../../records/record-table.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Icon } from '../../shell/icons.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { amountOf, draftsOf, itemsOf, newItem, sumOfDrafts, type ItemDraft } from './deal-items-draft.ts'
import classes from './deal-items.module.css'
import { recordQuery } from '../../records/record-calls.ts'
import { inSentence, t } from '../../base/texts.ts'

/** The items of a deal, which can be changed in place. */
export function DealItemsPanel({ deal }: { readonly deal: DealRecord }) {
  const { may } = useSession()
  const [isEdited, setEdited] = useState(false)
  const mayEdit = may('UPDATE_DEAL')
  if (isEdited)
    return (
      <Panel title={t('Items')}>
        <ItemsEditor deal={deal} onClose={() => setEdited(false)} />
      </Panel>
    )
  if (deal.items.length === 0 && !mayEdit) return null
  const edit = mayEdit && (
    <Button variant="default" size="xs" onClick={() => setEdited(true)}>
      {deal.items.length === 0 ? t('Add items') : t('Edit items')}
    </Button>
  )
  if (deal.items.length === 0)
    return (
      <Panel title={t('Items')} actions={edit}>
        <Text size="sm" c="dimmed">
          {deal.amount === null
            ? t('No items. The deal amount is the sum of its items.')
            : t('No items: the amount was entered as a whole. With items, it can follow their sum.')}
        </Text>
      </Panel>
    )
  return (
    <Panel title={t('Items')} actions={edit} flush>
      <ItemsTable deal={deal} mayEdit={mayEdit} />
    </Panel>
  )
}

function ItemsTable({ deal, mayEdit }: { readonly deal: DealRecord; readonly mayEdit: boolean }) {
  const { items, currency, amount } = deal
  const sum = sumOfItems(items, currency)
  const change = useDealChange(deal, { said: t('Amount set to the sum of the items') })
  return (
    <>
      <RecordTable
        label={t('Items')}
        rows={items}
        columns={[
          { label: t('Item'), cell: ({ name }) => name },
          { label: t('Quantity'), isNumber: true, cell: ({ quantity }) => decimalShown(quantity) },
          {
            label: t('Price'),
            isNumber: true,
            isExtra: true,
            cell: ({ unitPrice }) => describeMoney(unitPrice, currency),
          },
          {
            label: t('Discount'),
            isNumber: true,
            isExtra: true,
            cell: ({ discount }) => (Number(discount) === 0 ? '–' : describeMoney(discount, currency)),
          },
          {
            label: t('Total'),
            isNumber: true,
            cell: (item) => describeMoney(amountOf(item, currency), currency),
          },
        ]}
        foot={
          <tr className={classes.sum}>
            <td>{t('Sum')}</td>
            <td />
            <td data-extra />
            <td data-extra />
            <td data-number>{describeMoney(sum, currency)}</td>
          </tr>
        }
      />
      {sum !== null && Number(amount ?? 'NaN') !== Number(sum) && (
        <div className={classes.differs}>
          <span>
            {amount === null
              ? t('The deal has no amount.')
              : t('The amount of the deal is {amount}.', { amount: describeMoney(amount, currency) ?? '' })}
          </span>
          {mayEdit && (
            <Button
              variant="default"
              size="xs"
              loading={change.isPending}
              onClick={() => change.mutate({ amount: sum })}
            >
              {t('Use the sum')}
            </Button>
          )}
        </div>
      )}
      <RefusalAlert error={change.error} />
    </>
  )
}

function ItemsEditor({ deal, onClose }: { readonly deal: DealRecord; onClose(): void }) {
  const { currency } = deal
  const [items, setItems] = useState<readonly ItemDraft[]>(() =>
    deal.items.length === 0 ? [newItem()] : draftsOf(deal.items),
  )
  const priceOf = usePriceOf(deal)
  // A change that others make meanwhile arrives live; the items that were typed over it must not replace it unseen.
  const [version, setVersion] = useState(deal.version)
  const save = useDealChange({ id: deal.id, version }, { said: t('Saved'), onDone: onClose, onConflict: setVersion })
  const errors = fieldErrors(save.error)
  const update = (key: string, change: Partial<ItemDraft>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...change } : item)))
  const choose = async (key: string, product: ProductRecord) => {
    update(key, { productId: product.id, name: product.name, unitPrice: '' })
    const { unitPrice } = await priceOf(product, items.find((item) => item.key === key)?.quantity ?? '1')
    // A price that was typed in the meantime stays.
    setItems((all) =>
      all.map((item) =>
        item.key === key && item.productId === product.id && item.unitPrice === '' ? { ...item, unitPrice } : item,
      ),
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ items: itemsOf(items) })
  }
  const sum = sumOfDrafts(items, currency)
  return (
    <form className={classes.editor} onSubmit={submit} aria-label={t('Items')}>
      {items.map((item, at) => (
        <ItemFields
          key={item.key}
          item={item}
          label={t('Item {number}', { number: at + 1 })}
          currency={currency}
          errorOf={(field) => errors[`items.${at}.${field}`]}
          onChange={(change) => update(item.key, change)}
          onChoose={(product) => void choose(item.key, product)}
          onRemove={() => setItems((all) => all.filter(({ key }) => key !== item.key))}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setItems((all) => [...all, newItem()])}
        >
          {t('Add item', { context: 'a product' })}
        </Button>
      </div>
      {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
      <div className={classes.foot}>
        <b>
          {t('Sum')} <output>{sum === null ? '–' : describeMoney(sum, currency)}</output>
        </b>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      </div>
    </form>
  )
}

interface ItemFieldsProps {
  readonly item: ItemDraft
  readonly label: string
  readonly currency: string
  errorOf(field: string): string | undefined
  onChange(change: Partial<ItemDraft>): void
  onChoose(product: ProductRecord): void
  onRemove(): void
}

function ItemFields({ item, label, currency, errorOf, onChange, onChoose, onRemove }: ItemFieldsProps) {
  const field = (name: 'quantity' | 'unitPrice' | 'discount') => ({
    value: item[name],
    error: errorOf(name),
    onChange: (number: string) => onChange({ [name]: number }),
  })
  return (
    <div role="group" aria-label={label} className={classes.item}>
      <ItemField
        className={classes.itemName}
        name={item.name}
        error={errorOf('name') ?? errorOf('productId')}
        onChange={onChange}
        onChoose={onChoose}
      />
      <DecimalInput className={classes.quantity} label={t('Quantity')} {...field('quantity')} />
      <DecimalInput className={classes.price} label={t('Unit price')} placeholder="0" {...field('unitPrice')} />
      <DecimalInput className={classes.discount} label={t('Discount')} placeholder="0" {...field('discount')} />
      <div className={classes.total}>
        <span className={classes.name}>{t('Total')}</span>
        <output>{describeMoney(amountOf(item, currency), currency) ?? '–'}</output>
      </div>
      <ActionIcon
        className={classes.remove}
        aria-label={t('Remove {label}', { label: inSentence(label) })}
        onClick={onRemove}
      >
        <Icon name="cross" size={16} />
      </ActionIcon>
    </div>
  )
}

type DealPatch = NonNullable<Parameters<typeof crm.deals.update>[0]>['body']

interface DealChangeOptions {
  readonly said: string
  onDone?(): void
  /** Takes the version that is there now, when somebody else changed the deal. */
  onConflict?(version: number): void
}

/** Changes the deal as shown; somebody else's change in between is shown beside the refusal. */
function useDealChange(
  { id, version }: Pick<DealRecord, 'id' | 'version'>,
  { said, onDone, onConflict }: DealChangeOptions,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: DealPatch) => crm.deals.update({ params: { id }, body: { ...body, version } }),
    onSuccess: ({ data }) => {
      client.setQueryData(recordQuery('DEAL', id).queryKey, data)
      notify(said)
      onDone?.()
      return client.invalidateQueries({ queryKey: ['deals'] })
    },
    onError: async (error) => {
      if (!isRefusedWith(error, 'VERSION_CONFLICT')) return
      await client.invalidateQueries({ queryKey: ['deals'] })
      const there = client.getQueryData(recordQuery('DEAL', id).queryKey)
      if (there) onConflict?.(there.version)
    },
  })
}
