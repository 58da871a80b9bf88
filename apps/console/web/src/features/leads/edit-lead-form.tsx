import type { LeadRecord } from '@crm/contract'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { fieldName } from '../../records/field-words.ts'
import { timelineQuery } from '../../records/record-queries.ts'
import { notify } from '../../shell/notices.tsx'
import { FormRefusal } from './create-lead-dialog.tsx'
import { changedFields, draftOf, rebase, type LeadDraft, type Rebased } from './lead-draft.ts'
import { LeadFields } from './lead-fields.tsx'
import { leadQuery } from './lead-queries.ts'

/** What the form stands on: the lead as it was read, and what others changed since it was opened. */
interface Base {
  readonly version: number
  readonly draft: LeadDraft
  readonly changedMeanwhile: Rebased['changedMeanwhile'] | null
}

interface EditLeadFormProps {
  readonly lead: LeadRecord
  onDone(): void
}

/** Changes a lead; when somebody else was faster, it says what they changed and keeps what was typed. */
export function EditLeadForm({ lead, onDone }: EditLeadFormProps) {
  const [base, setBase] = useState<Base>({ version: lead.version, draft: draftOf(lead), changedMeanwhile: null })
  const [draft, setDraft] = useState(base.draft)
  const client = useQueryClient()
  const query = leadQuery(lead.id)

  const standOnLatest = async () => {
    const latest = await client.fetchQuery({ ...query, staleTime: 0 })
    const rebased = rebase(draft, base.draft, draftOf(latest))
    setBase({ version: latest.version, draft: draftOf(latest), changedMeanwhile: rebased.changedMeanwhile })
    setDraft(rebased.draft)
    await client.invalidateQueries({ queryKey: timelineQuery({ entityType: 'LEAD', entityId: lead.id }).queryKey })
  }
  const save = useMutation({
    mutationFn: () =>
      crm.leads.update({
        params: { id: lead.id },
        body: { ...changedFields(base.draft, draft), version: base.version },
      }),
    onSuccess: ({ data }) => {
      client.setQueryData(query.queryKey, data)
      notify('Saved')
      onDone()
      return client.invalidateQueries({ queryKey: ['leads'] })
    },
    onError: (error) => (isRefusedWith(error, 'VERSION_CONFLICT') ? standOnLatest() : undefined),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changedFields(base.draft, draft)).length === 0) return onDone()
    save.mutate()
  }

  return (
    <form onSubmit={submit} noValidate aria-label="Edit details">
      <Stack>
        <LeadFields draft={draft} errors={fieldErrors(save.error)} onChange={setDraft} />
        {base.changedMeanwhile === null ? (
          <FormRefusal error={save.error} />
        ) : (
          <Conflict changes={base.changedMeanwhile} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {base.changedMeanwhile === null ? 'Save' : 'Save my changes'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Conflict({ changes }: { readonly changes: Rebased['changedMeanwhile'] }) {
  return (
    <Alert color="yellow" role="alert" title="Somebody else changed this lead while you were editing">
      Nothing was saved. What you typed is still here; all other fields show what the lead holds now. Look it over and
      save again.
      {changes.length > 0 && (
        <ul>
          {changes.map(({ field, value }) => (
            <li key={field}>{`${fieldName(field)} is now ${value === '' ? 'empty' : `“${value}”`}`}</li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
