import { forgetsWithPerson } from '../base/forget.ts'
import { t } from '../base/texts.ts'
import { notify, notifyRefusal } from './notices.tsx'

/** For how long a change can be taken back, and how many changes are kept in mind. */
const keptMs = 10 * 60_000
const keptMax = 20

interface LastChange {
  readonly at: number
  takeBack(): void
}

let changes: readonly LastChange[] = []
forgetsWithPerson(() => (changes = []))

/** Tells of a change that can be taken back: by the button of the notice, or as the last change by Ctrl Z. */
export function notifyUndoable(text: string, undo: () => Promise<unknown>): void {
  const takeBack = () => {
    if (!changes.includes(change)) return
    changes = changes.filter((one) => one !== change)
    dismiss()
    void undo().catch(notifyRefusal)
  }
  const change: LastChange = { at: Date.now(), takeBack }
  changes = [change, ...changes].slice(0, keptMax)
  const dismiss = notify(text, { label: t('Undo'), run: takeBack })
}

/** Takes back the last change of this page; says so when there is none. */
export function undoLast(): void {
  const last = changes.find(({ at }) => Date.now() - at < keptMs)
  if (last === undefined) notify(t('Nothing to undo'))
  else last.takeBack()
}
