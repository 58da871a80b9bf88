import { priceModes, tierModes, type PriceListEntryRecord, type PriceListRecord } from '@crm/contract'
import { NativeSelect, SimpleGrid } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { ProductField } from './product-field.tsx'
import { t } from './texts.ts'

type Mode = (typeof priceModes)[number]

const modeNames: Readonly<Record<Mode, string>> = {
  FIXED: t('A price'),
  PERCENT_OFF: t('Discount % on the base price'),
}
const tierModeNames = {
  VOLUME: t('All units at the reached tier'),
  GRADUATED: t('Each unit at its own tier'),
} as const

/** Asks for a list's price of a product. */
export function EntryDialog({ list, onClose }: { readonly list: PriceListRecord; onClose(): void }) {
  const client = useQueryClient()
  const [mode, setMode] = useState<Mode>('FIXED')
  const save = useMutation({
    mutationFn: (form: FormData) =>
      crm.priceListEntries.create({
        body: {
          priceListId: list.id,
          productId: textIn(form, 'productId'),
          mode,
          tierMode: tierModes.find((one) => one === textIn(form, 'tierMode')),
          ...quoted(mode, form),
        },
      }),
    onSuccess: async () => {
      notify(t('Price added'))
      onClose()
      await client.invalidateQueries({ queryKey: ['priceLists'] })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={t('Add product')}
      submit={t('Add')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <ProductField name="productId" label={t('Product')} error={errors['productId']} />
      <NativeSelect
        label={t('Pricing')}
        value={mode}
        onChange={(event) => setMode(priceModes.find((one) => one === event.currentTarget.value) ?? 'FIXED')}
        data={priceModes.map((value) => ({ value, label: modeNames[value] }))}
      />
      <QuotedField mode={mode} errors={errors} />
      <NativeSelect
        label={t('Tiers apply to')}
        name="tierMode"
        data={tierModes.map((value) => ({ value, label: tierModeNames[value] }))}
      />
    </FormDialog>
  )
}

/** Asks for a tier of an entry. */
export function TierDialog({ entry, onClose }: { readonly entry: PriceListEntryRecord; onClose(): void }) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (form: FormData) =>
      crm.priceListEntryTiers.create({
        body: {
          entryId: entry.id,
          minQuantity: textIn(form, 'minQuantity').trim(),
          maxQuantity: textIn(form, 'maxQuantity').trim() || null,
          ...quoted(entry.mode, form),
        },
      }),
    onSuccess: async () => {
      notify(t('Tier added'))
      onClose()
      await client.invalidateQueries({ queryKey: ['priceLists'] })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={t('Add tier')}
      submit={t('Add')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <SimpleGrid cols={2}>
        <DecimalInput label={t('From quantity')} name="minQuantity" required error={errors['minQuantity']} />
        <DecimalInput
          label={t('To quantity')}
          name="maxQuantity"
          placeholder={t('No end date')}
          error={errors['maxQuantity']}
        />
      </SimpleGrid>
      <QuotedField mode={entry.mode} errors={errors} />
    </FormDialog>
  )
}

function QuotedField({
  mode,
  errors,
}: {
  readonly mode: Mode
  readonly errors: Readonly<Record<string, string | undefined>>
}) {
  return mode === 'FIXED' ? (
    <DecimalInput key="price" label={t('Price')} name="price" required placeholder="0.00" error={errors['price']} />
  ) : (
    <DecimalInput key="percent" label={t('Discount %')} name="percent" required error={errors['percent']} />
  )
}

function quoted(mode: Mode, form: FormData) {
  return mode === 'FIXED' ? { price: textIn(form, 'price').trim() } : { percent: textIn(form, 'percent').trim() }
}
