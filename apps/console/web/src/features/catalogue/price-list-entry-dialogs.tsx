import { priceModes, tierModes, type PriceListEntryRecord, type PriceListRecord } from '@crm/contract'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { ProductField } from './product-field.tsx'

type Mode = (typeof priceModes)[number]

const modeNames: Readonly<Record<Mode, string>> = { FIXED: 'A price', PERCENT_OFF: 'Per cent off the base price' }
const tierModeNames = { VOLUME: 'The whole quantity at its tier', GRADUATED: 'Each part at its own tier' } as const

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
      notify('The price was added')
      onClose()
      await client.invalidateQueries({ queryKey: ['priceLists'] })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title="Add product"
      submit="Add"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <ProductField name="productId" label="Product" error={errors['productId']} />
      <NativeSelect
        label="It costs"
        value={mode}
        onChange={(event) => setMode(priceModes.find((one) => one === event.currentTarget.value) ?? 'FIXED')}
        data={priceModes.map((value) => ({ value, label: modeNames[value] }))}
      />
      <QuotedField mode={mode} errors={errors} />
      <NativeSelect
        label="Tiers count for"
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
      notify('The tier was added')
      onClose()
      await client.invalidateQueries({ queryKey: ['priceLists'] })
    },
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title="Add tier"
      submit="Add"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <SimpleGrid cols={2}>
        <TextInput
          label="From quantity"
          name="minQuantity"
          required
          inputMode="decimal"
          error={errors['minQuantity']}
          autoComplete="off"
        />
        <TextInput
          label="To quantity"
          name="maxQuantity"
          inputMode="decimal"
          placeholder="Without end"
          error={errors['maxQuantity']}
          autoComplete="off"
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
    <TextInput
      key="price"
      label="Price"
      name="price"
      required
      inputMode="decimal"
      placeholder="0.00"
      error={errors['price']}
      autoComplete="off"
    />
  ) : (
    <TextInput
      key="percent"
      label="Per cent off"
      name="percent"
      required
      inputMode="decimal"
      error={errors['percent']}
      autoComplete="off"
    />
  )
}

function quoted(mode: Mode, form: FormData) {
  return mode === 'FIXED' ? { price: textIn(form, 'price').trim() } : { percent: textIn(form, 'percent').trim() }
}
