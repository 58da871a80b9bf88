import type { LeadRecord } from '@crm/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { leadTitle } from '../../records/titles.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { rememberedPlace } from './list-place.ts'

interface DeleteLeadDialogProps {
  readonly lead: LeadRecord
  readonly opened: boolean
  onClose(): void
}

/** Deletes a lead after asking. */
export function DeleteLeadDialog({ lead, opened, onClose }: DeleteLeadDialogProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => crm.leads.delete({ params: { id: lead.id } }),
    onSuccess: async () => {
      await navigate({ to: '/leads', search: rememberedPlace() })
      client.removeQueries({ queryKey: ['leads', 'one', lead.id] })
      notify('The lead was deleted')
      await client.invalidateQueries({ queryKey: ['leads', 'list'] })
    },
  })
  return (
    <ConfirmDialog opened={opened} onClose={onClose} title="Delete this lead?" confirm="Delete" isDestructive isBusy={remove.isPending} error={remove.error} onConfirm={() => remove.mutate()}>
      {leadTitle(lead)} disappears from every list, together with its comments and its timeline. It is kept for 30 days.
    </ConfirmDialog>
  )
}
