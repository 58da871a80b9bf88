import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { TemplateFields, type TemplateDraft } from './template-fields.tsx'
import { addressOf } from '../../records/record-place.ts'
import { t } from '../../base/texts.ts'

const begin: TemplateDraft = { name: '', kind: 'LETTER', body: '# {{record.name}}\n\n{{today}}\n\n' }

/** Asks for a new document template. */
export function TemplateDialog({ opened, onClose }: { readonly opened: boolean; onClose(): void }) {
  const [draft, setDraft] = useState(begin)
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => crm.documents.create({ body: draft }),
    onSuccess: async ({ data: { id } }) => {
      notify(t('Template created'))
      onClose()
      await client.invalidateQueries({ queryKey: ['documents'] })
      await navigate(addressOf({ entityType: 'DOCUMENT', entityId: id }))
    },
  })
  return (
    <FormDialog
      opened={opened}
      title={t('New template')}
      submit={t('Create template')}
      size="lg"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TemplateFields draft={draft} errors={fieldErrors(create.error)} onChange={setDraft} />
    </FormDialog>
  )
}
