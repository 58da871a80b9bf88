import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { settings } from '../base/api.ts'
import { capitalized, named, t } from '../base/texts.ts'
import { notify, notifyRefusal } from '../shell/notices.tsx'
import { callsOf } from './record-calls.ts'
import { useKind } from './record-kinds.ts'
import { addressOf, collectionOf } from './record-place.ts'

/** Returns the function that leaves the page of a record that is gone, and shows the lists without it. */
export function useForgetting(entityType: string, leave: () => Promise<unknown>) {
  const client = useQueryClient()
  const collection = collectionOf(entityType)
  return async (id: string) => {
    await leave()
    client.removeQueries({ queryKey: [collection, 'one', id] })
    await client.invalidateQueries({ queryKey: [collection] })
  }
}

/** Deletes records at once; the notice offers to restore the record. */
export function useRemoval(entityType: string, leave: () => Promise<unknown>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const noun = capitalized(useKind(entityType)?.noun ?? t('kinds.RECORD.one'))
  const forget = useForgetting(entityType, leave)
  const undo = async (entityId: string) => {
    await settings.deletedRecords.restore({ params: { id: entityId }, body: { entityType } })
    await client.invalidateQueries({ queryKey: [collectionOf(entityType)] })
    notify(t('records.nounRestored', named(noun)))
    await navigate(addressOf({ entityType, entityId }))
  }
  return useMutation({
    mutationFn: (id: string) => callsOf(entityType).remove(id),
    onSuccess: async (_answer, id) => {
      await forget(id)
      notify(t('records.nounDeleted', named(noun)), {
        label: t('common.undo'),
        run: () => void undo(id).catch(notifyRefusal),
      })
    },
    onError: notifyRefusal,
  })
}
