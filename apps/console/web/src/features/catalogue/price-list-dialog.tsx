import type { PriceListRecord } from '@crm/contract'
import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { currencyChoices } from '../../records/choices.ts'
import { CompanyField } from '../../records/company-field.tsx'
import { changedMembers } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'

interface PriceListDialogProps {
  /** The list to change; a new one without it. */
  readonly list?: PriceListRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new price list, or for changes of one. */
export function PriceListDialog({ list, opened, onClose }: PriceListDialogProps) {
  const navigate = useNavigate()
  const { currencies } = useCatalogueLists()
  const isOfOneCompany = (list?.companyIds.length ?? 0) <= 1
  return (
    <RecordForm
      entityType="PRICE_LIST"
      record={list}
      size="lg"
      opened={opened}
      save={saveList}
      open={(id) => navigate({ to: '/price-lists/$id', params: { id } })}
      onClose={onClose}
    >
      {({ errors }) => (
        <>
          <TextInput
            label="Name"
            name="name"
            required
            data-autofocus
            defaultValue={list?.name}
            error={errors['name']}
            autoComplete="off"
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <NativeSelect
              label="Currency"
              name="currency"
              defaultValue={list?.currency}
              error={errors['currency']}
              data={currencyChoices(currencies, list?.currency)}
            />
            <TextInput
              label="Priority"
              name="priority"
              type="number"
              step={1}
              defaultValue={list?.priority ?? 0}
              error={errors['priority']}
              description="The largest number wins"
            />
            <TextInput
              label="From"
              name="startsAt"
              type="date"
              defaultValue={list?.startsAt?.slice(0, 10)}
              error={errors['startsAt']}
            />
            <TextInput
              label="Before"
              name="endsAt"
              type="date"
              defaultValue={list?.endsAt?.slice(0, 10)}
              error={errors['endsAt']}
            />
          </SimpleGrid>
          {isOfOneCompany && (
            <CompanyField
              label="For one company only"
              name="companyId"
              companyId={list?.companyIds[0] ?? null}
              error={errors['companyIds']}
            />
          )}
          <Checkbox
            label="The default list of its currency"
            name="isDefault"
            defaultChecked={list?.isDefault ?? false}
          />
          <Checkbox label="Active" name="isActive" defaultChecked={list?.isActive ?? true} />
        </>
      )}
    </RecordForm>
  )
}

function saveList(form: FormData, list: PriceListRecord | undefined) {
  const body = readList(form, list)
  return list
    ? crm.priceLists.update({ params: { id: list.id }, body: { ...changedMembers(list, body), version: list.version } })
    : crm.priceLists.create({ body })
}

function readList(form: FormData, list: PriceListRecord | undefined) {
  const currency = textIn(form, 'currency')
  return {
    name: textIn(form, 'name'),
    currency: currency === '' ? undefined : currency,
    priority: Number(textIn(form, 'priority') || 0),
    startsAt: boundOf(textIn(form, 'startsAt'), list?.startsAt),
    endsAt: boundOf(textIn(form, 'endsAt'), list?.endsAt),
    isDefault: form.has('isDefault'),
    isActive: form.has('isActive'),
    ...(form.has('companyId') ? { companyIds: [textIn(form, 'companyId')].filter((id) => id !== '') } : {}),
  }
}

/** A day begins in UTC; a time of day that was set elsewhere stays as long as its day does. */
function boundOf(day: string, before: string | null | undefined): string | null {
  if (day === '') return null
  return before?.startsWith(day) ? before : `${day}T00:00:00.000Z`
}
