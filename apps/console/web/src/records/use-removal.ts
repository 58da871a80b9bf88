import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { capitalized, named, t, terms } from '../base/texts.ts'
import { notifyRefusal } from '../shell/notices.tsx'
import { callsOf } from './record-calls.ts'
import { useKind } from './record-kinds.ts'
import { addressOf, collectionOf } from './record-place.ts'
import { offerUndo } from './undoing.ts'

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

/** Deletes records at once; the notice offers to undo that, which leads to the record. */
export function useRemoval(entityType: string, leave: () => Promise<unknown>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const noun = capitalized(useKind(entityType)?.noun ?? terms.kinds.RECORD.one)
  const forget = useForgetting(entityType, leave)
  return useMutation({
    mutationFn: (id: string) => callsOf(entityType).remove(id),
    onSuccess: async (undoId, id) => {
      await forget(id)
      offerUndo(client, t('{noun} deleted', named(noun)), undoId, () =>
        navigate(addressOf({ entityType, entityId: id })),
      )
    },
    onError: notifyRefusal,
  })
}
