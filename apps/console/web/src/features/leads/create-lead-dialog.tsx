import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { notify } from '../../shell/notices.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { changedFields, emptyDraft, draftFields, type LeadDraft } from './lead-draft.ts'
import { LeadFields } from './lead-fields.tsx'

interface CreateLeadDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new lead. */
export function CreateLeadDialog({ opened, onClose }: CreateLeadDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New lead" size="lg">
      <CreateLeadForm onClose={onClose} />
    </Modal>
  )
}

function CreateLeadForm({ onClose }: { onClose(): void }) {
  const [draft, setDraft] = useState<LeadDraft>(emptyDraft)
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => crm.leads.create({ body: changedFields(emptyDraft, draft) }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: ['leads'] })
      notify(
        data.mergedIntoId === undefined ? 'The lead was created' : 'There was such a lead already: it was completed',
      )
      await navigate({ to: '/leads/$id', params: { id: data.id } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} noValidate aria-label="New lead">
      <Stack>
        <LeadFields draft={draft} errors={fieldErrors(create.error)} onChange={setDraft} />
        <FormRefusal error={create.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create lead
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What a form was refused for, as far as no field shows it. */
export function FormRefusal({ error }: { readonly error: Error | null }) {
  if (!isRefusedWith(error, 'VALIDATION_ERROR')) return <RefusalAlert error={error} />
  const elsewhere = Object.entries(fieldErrors(error)).filter(
    ([field]) => !(draftFields as readonly string[]).includes(field),
  )
  if (elsewhere.length === 0) return null
  return (
    <Alert color="red" role="alert">
      {elsewhere.map(([field, message]) => [field, message].filter(Boolean).join(': ')).join('. ')}
    </Alert>
  )
}
