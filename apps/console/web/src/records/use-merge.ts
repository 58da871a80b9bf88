import { useMutation, useQueryClient } from '@tanstack/react-query'
import { t } from '../base/texts.ts'
import { callsOf } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import { offerUndo } from './undoing.ts'

interface Merging {
  /** The record that stays. */
  readonly id: string
  readonly sourceIds: readonly string[]
  /** The record whose value is kept, by field. */
  readonly prefer: Readonly<Record<string, string>>
}

/** Returns what merges records into one, and offers to undo it. */
export function useMerge(kind: Kind, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: Merging) => callsOf(kind.key).merge(id, body),
    onSuccess: (undoId) => {
      onDone()
      offerUndo(client, t('Merged {many}', { many: kind.plural }), undoId)
      // Records of many kinds belong to another one now.
      return client.invalidateQueries()
    },
  })
}
