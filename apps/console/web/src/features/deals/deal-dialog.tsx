import type { DealRecord } from '@crm/contract'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { changedText, readFields, textOf } from '../../records/form-changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { dealQuery } from './deal-queries.ts'

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
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: (form: FormData) => (deal ? changeDeal(deal, form) : addDeal(form, pipelineId)),
    onSuccess: async ({ data }) => {
      client.setQueryData(dealQuery(data.id).queryKey, data)
      notify(deal ? 'Saved' : 'The deal was created')
      onClose()
      await client.invalidateQueries({ queryKey: ['deals'] })
      if (!deal) await navigate({ to: '/deals/$id', params: { id: data.id } })
    },
    onError: (error) => (isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['deals'] }) : undefined),
  })
  const errors = fieldErrors(save.error)
  const field = (name: (typeof fields)[number]) => ({ name, defaultValue: textOf(deal?.[name]), error: errors[name], autoComplete: 'off' })
  return (
    <FormDialog opened={opened} title={deal ? 'Edit deal' : 'New deal'} submit={deal ? 'Save' : 'Create deal'} isBusy={save.isPending} error={save.error} onSubmit={(form) => save.mutate(form)} onClose={onClose}>
      <TextInput label="Name" required data-autofocus {...field('name')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" verticalSpacing="sm">
        <TextInput label="Amount" inputMode="decimal" placeholder="1250.00" {...field('amount')} />
        <TextInput label="Currency" placeholder="EUR" maxLength={3} {...field('currency')} />
        <TextInput label="Expected close" type="date" {...field('expectedCloseDate')} />
      </SimpleGrid>
      {deal?.status === 'LOST' && <TextInput label="Reason for losing it" {...field('lostReason')} />}
      <Textarea label="Description" rows={3} {...field('description')} />
    </FormDialog>
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
  return { ...rest, ...(name === undefined ? {} : { name: name ?? '' }), ...(currency ? { currency: currency.toUpperCase() } : {}) }
}
