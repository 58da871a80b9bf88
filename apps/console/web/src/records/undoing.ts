import type { QueryClient } from '@tanstack/react-query'
import { t } from '../base/texts.ts'
import { notify } from '../shell/notices.tsx'
import { notifyUndoable } from '../shell/undo.ts'
import { doneOf, undoChange } from './bulk-changes.ts'

/** Tells of a change of the API that its `undoId` takes back; without one it is only told of. */
export function offerUndo(client: QueryClient, said: string, undoId: string | null, onUndone?: () => unknown): void {
  if (undoId === null) {
    notify(said)
    return
  }
  notifyUndoable(said, async () => {
    const { failed } = await doneOf(await undoChange(undoId), t('Undoing'))
    // A change shows in lists, histories and figures of many kinds.
    await client.invalidateQueries()
    notify(t(failed === 0 ? 'Undone' : 'Not undone: it has changed since.'))
    if (failed === 0) await onUndone?.()
  })
}
