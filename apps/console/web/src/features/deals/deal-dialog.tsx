import type { DealRecord } from '@crm/contract'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { changedText, readFields } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'

const fields = ['name', 'amount', 'currency', 'expectedCloseDate', 'lostReason', 'description'] as const

interface DealDialogProps {
  /** The deal to change; a new one without it. */
  readonly deal?: DealRecord
  /** The pipeline of a new deal; the default one without it. */
  readonly pipelineId?: string
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new deal, or for changes of one. */
export function DealDialog({ deal, pipelineId, opened, onClose }: DealDialogProps) {
  const navigate = useNavigate()
  return (
    <RecordForm
      entityType="DEAL"
      record={deal}
      opened={opened}
      save={(form, shown) => (shown ? changeDeal(shown, form) : addDeal(form, pipelineId))}
      open={(id) => navigate({ to: '/deals/$id', params: { id } })}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextInput label="Name" required data-autofocus {...field('name')} />
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" verticalSpacing="sm">
            <TextInput label="Amount" inputMode="decimal" placeholder="1250.00" {...field('amount')} />
            <TextInput label="Currency" placeholder="EUR" maxLength={3} {...field('currency')} />
            <TextInput label="Expected close" type="date" {...field('expectedCloseDate')} />
          </SimpleGrid>
          {deal?.status === 'LOST' && <TextInput label="Reason for losing it" {...field('lostReason')} />}
          <Textarea label="Description" rows={3} {...field('description')} />
        </>
      )}
    </RecordForm>
  )
}

function addDeal(form: FormData, pipelineId: string | undefined) {
  const { name, ...rest } = bodyOf({}, form)
  return crm.deals.create({ body: { name: name ?? '', pipelineId, ...rest } })
}

function changeDeal(deal: DealRecord, form: FormData) {
  return crm.deals.update({ params: { id: deal.id }, body: { ...bodyOf(deal, form), version: deal.version } })
}

function bodyOf(deal: Partial<DealRecord>, form: FormData) {
  const shown = fields.filter((name) => form.has(name))
  const { name, currency, ...rest } = changedText(deal, readFields(form, shown))
  // Neither can be taken away; an empty field leaves them as they are.
  return {
    ...rest,
    ...(name === undefined ? {} : { name: name ?? '' }),
    ...(currency ? { currency: currency.toUpperCase() } : {}),
  }
}
