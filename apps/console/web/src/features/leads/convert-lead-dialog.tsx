import type { LeadRecord } from '@crm/contract'
import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { leadTitle } from '../../records/titles.ts'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

interface ConvertLeadDialogProps {
  readonly lead: LeadRecord
  readonly opened: boolean
  onClose(): void
}

/** Shows the effect of a lead's conversion, and converts it. */
export function ConvertLeadDialog({ lead, opened, onClose }: ConvertLeadDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t('leads.convertLead', { lead: leadTitle(lead) })} centered>
      <ConvertLead lead={lead} onClose={onClose} />
    </Modal>
  )
}

function ConvertLead({ lead, onClose }: Omit<ConvertLeadDialogProps, 'opened'>) {
  const options = useQuery({
    queryKey: ['leads', 'conversion', lead.id, lead.version],
    queryFn: async ({ signal }) => (await crm.leads.conversionOptions({ params: { id: lead.id }, signal })).data,
    staleTime: 0,
  })
  if (options.data === undefined)
    return options.error === null ? (
      <LoadingLines lines={3} />
    ) : (
      <RefusalAlert error={options.error} retry={() => void options.refetch()} />
    )
  return <ConvertForm lead={lead} options={options.data} onClose={onClose} />
}

interface ConvertFormProps extends Omit<ConvertLeadDialogProps, 'opened'> {
  readonly options: Awaited<ReturnType<typeof crm.leads.conversionOptions>>['data']
}

function ConvertForm({ lead, options, onClose }: ConvertFormProps) {
  const [withDeal, setWithDeal] = useState(true)
  const [dealName, setDealName] = useState(options.deal.name)
  const client = useQueryClient()
  const navigate = useNavigate()
  const convert = useMutation({
    mutationFn: () =>
      crm.leads.convert({
        params: { id: lead.id },
        body: { deal: withDeal ? { mode: 'CREATE', name: dealName.trim() || undefined } : { mode: 'NONE' } },
      }),
    onSuccess: async ({ data }) => {
      const { dealId } = data
      notify(
        t('leads.theLeadWasConverted'),
        dealId === null
          ? undefined
          : { label: t('leads.openDeal'), run: () => void navigate({ to: '/deals/$id', params: { id: dealId } }) },
      )
      onClose()
      await client.invalidateQueries({ queryKey: ['leads'] })
    },
  })
  return (
    <Stack>
      <Facts
        facts={[
          [t('common.contact'), describeParty(options.contact)],
          [t('common.company'), describeParty(options.company)],
        ]}
      />
      <Checkbox
        label={t('leads.createADeal')}
        checked={withDeal}
        onChange={(event) => setWithDeal(event.currentTarget.checked)}
      />
      {withDeal && (
        <TextInput
          label={t('leads.nameOfTheDeal')}
          value={dealName}
          onChange={(event) => setDealName(event.currentTarget.value)}
          maxLength={200}
        />
      )}
      <RefusalAlert error={convert.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button loading={convert.isPending} onClick={() => convert.mutate()}>
          {t('leads.convert')}
        </Button>
      </Group>
    </Stack>
  )
}

function describeParty({ mode, candidates }: ConvertFormProps['options']['contact']): string {
  const [found] = candidates
  if (mode === 'EXISTING' && found !== undefined)
    return t('leads.nameKnownSameMatchedon', { name: found.name, matchedOn: found.matchedOn })
  return mode === 'NONE' ? t('common.none') : t('leads.aNewOneIsCreated')
}
