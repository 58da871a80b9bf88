import type { LeadRecord } from '@crm/contract'
import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { leadTitle } from '../../records/titles.ts'
import { notify } from '../../shell/notices.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { addressOf } from '../../records/record-place.ts'
import { t, terms } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

interface ConvertLeadDialogProps {
  readonly lead: LeadRecord
  readonly opened: boolean
  onClose(): void
}

/** Shows the effect of a lead's conversion, and converts it. */
export function ConvertLeadDialog({ lead, opened, onClose }: ConvertLeadDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Convert {lead}', { lead: leadTitle(lead) })} centered>
      <ConvertLead lead={lead} onClose={onClose} />
    </Dialog>
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
  const [contact, setContact] = useState(usualChoice(options.contact))
  const [company, setCompany] = useState(usualChoice(options.company))
  const client = useQueryClient()
  const navigate = useNavigate()
  const convert = useMutation({
    mutationFn: () =>
      crm.leads.convert({
        params: { id: lead.id },
        body: {
          ...(contact === noOne
            ? { contact: { mode: 'NONE' } }
            : contact === aNewOne
              ? { createContact: true }
              : { contactId: contact }),
          ...(company === noOne
            ? { company: { mode: 'NONE' } }
            : company === aNewOne
              ? { createCompany: true }
              : { companyId: company }),
          deal: withDeal ? { mode: 'CREATE', name: dealName.trim() || undefined } : { mode: 'NONE' },
        },
      }),
    onSuccess: async ({ data }) => {
      const { dealId } = data
      notify(
        t('Lead converted'),
        dealId === null
          ? undefined
          : {
              label: t('Open deal'),
              run: () => void navigate(addressOf({ entityType: 'DEAL', entityId: dealId })),
            },
      )
      onClose()
      await client.invalidateQueries({ queryKey: ['leads'] })
    },
  })
  return (
    <Stack>
      <PartySelect
        label={t('Contact')}
        party={options.contact}
        mayBeNew={[lead.firstName, lead.lastName, lead.email, lead.phone].some(Boolean)}
        value={contact}
        onChange={setContact}
      />
      <PartySelect
        label={t('Company')}
        party={options.company}
        mayBeNew={Boolean(lead.companyName)}
        value={company}
        onChange={setCompany}
      />
      <Checkbox
        label={t('Create a deal')}
        checked={withDeal}
        onChange={(event) => setWithDeal(event.currentTarget.checked)}
      />
      {withDeal && (
        <TextInput
          label={t('Name of the deal')}
          value={dealName}
          onChange={(event) => setDealName(event.currentTarget.value)}
          maxLength={200}
        />
      )}
      <RefusalAlert error={convert.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button loading={convert.isPending} onClick={() => convert.mutate()}>
          {t('Convert')}
        </Button>
      </Group>
    </Stack>
  )
}

type Party = ConvertFormProps['options']['contact']

/** The choices that are no record. */
const aNewOne = 'new'
const noOne = 'none'

/** Returns what an empty request would choose. */
function usualChoice({ mode, candidates: [found] }: Party): string {
  if (mode === 'EXISTING' && found !== undefined) return found.id
  return mode === 'NONE' ? noOne : aNewOne
}

/** Returns the word for what a record and a lead have in common. */
function signWord(matchedOn: string): string {
  const words: Readonly<Record<string, string>> = {
    email: terms.labels.email,
    phone: terms.labels.phone,
    domain: terms.labels.domain,
    name: terms.labels.name,
  }
  return words[matchedOn] ?? matchedOn
}

interface PartySelectProps {
  readonly label: string
  readonly party: Party
  readonly mayBeNew: boolean
  readonly value: string
  onChange(value: string): void
}

/** Chooses one of the records that a lead may be, a new one, or none. */
function PartySelect({ label, party, mayBeNew, value, onChange }: PartySelectProps) {
  const known = party.candidates.map(({ id, name, matchedOn }) => ({
    value: id,
    label: t('{name} (known, same {matchedOn})', { name, matchedOn: signWord(matchedOn) }),
  }))
  const others = [
    ...(mayBeNew ? [{ value: aNewOne, label: t('A new one is created') }] : []),
    { value: noOne, label: t('None') },
  ]
  return (
    <Select
      label={label}
      data={[...known, ...others]}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  )
}
