import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { notify } from '../shell/notices.tsx'
import { collectionOf, nounOf, type RecordPlace } from './record-place.ts'
import { named, t } from '../base/texts.ts'

interface DeleteRecordDialogProps {
  readonly record: RecordPlace
  readonly title: string
  readonly opened: boolean
  remove(): Promise<unknown>
  /** Leaves the page of the deleted record. */
  leave(): Promise<unknown>
  onClose(): void
}

/** Deletes a record after a confirmation. */
export function DeleteRecordDialog({ record, title, opened, remove, leave, onClose }: DeleteRecordDialogProps) {
  const client = useQueryClient()
  const collection = collectionOf(record.entityType)
  const noun = nounOf(record.entityType)
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await leave()
      client.removeQueries({ queryKey: [collection, 'one', record.entityId] })
      notify(t('records.theNounWasDeleted', named(noun)))
      await client.invalidateQueries({ queryKey: [collection] })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('records.deleteThisNoun', named(noun))}
      confirm={t('common.delete')}
      isDestructive
      isBusy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
    >
      {t('records.titleDisappearsFromEveryList', { title })}
    </ConfirmDialog>
  )
}
