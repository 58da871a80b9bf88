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
import { t } from '../../base/texts.ts'

type Mode = (typeof priceModes)[number]

const modeNames: Readonly<Record<Mode, string>> = {
  FIXED: t('catalogue.aPrice'),
  PERCENT_OFF: t('catalogue.perCentOffTheBase'),
}
const tierModeNames = {
  VOLUME: t('catalogue.allUnitsAtTheReached'),
  GRADUATED: t('catalogue.eachUnitAtItsOwn'),
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
      notify(t('catalogue.thePriceWasAdded'))
      onClose()
      await client.invalidateQueries({ queryKey: ['priceLists'] })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={t('catalogue.addProduct')}
      submit={t('common.add')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <ProductField name="productId" label={t('catalogue.product')} error={errors['productId']} />
      <NativeSelect
        label={t('catalogue.pricing')}
        value={mode}
        onChange={(event) => setMode(priceModes.find((one) => one === event.currentTarget.value) ?? 'FIXED')}
        data={priceModes.map((value) => ({ value, label: modeNames[value] }))}
      />
      <QuotedField mode={mode} errors={errors} />
      <NativeSelect
        label={t('catalogue.tiersApplyTo')}
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
      notify(t('catalogue.theTierWasAdded'))
      onClose()
      await client.invalidateQueries({ queryKey: ['priceLists'] })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={t('catalogue.addTier')}
      submit={t('common.add')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <SimpleGrid cols={2}>
        <DecimalInput label={t('catalogue.fromQuantity')} name="minQuantity" required error={errors['minQuantity']} />
        <DecimalInput
          label={t('catalogue.toQuantity')}
          name="maxQuantity"
          placeholder={t('catalogue.noEndDate')}
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
    <DecimalInput
      key="price"
      label={t('catalogue.price')}
      name="price"
      required
      placeholder="0.00"
      error={errors['price']}
    />
  ) : (
    <DecimalInput key="percent" label={t('catalogue.discount')} name="percent" required error={errors['percent']} />
  )
}

function quoted(mode: Mode, form: FormData) {
  return mode === 'FIXED' ? { price: textIn(form, 'price').trim() } : { percent: textIn(form, 'percent').trim() }
}
