import { getDefaultZIndex } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { t } from '../base/texts.ts'
import { giveUpTyped, hasTypedText } from '../base/unsaved.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Question {
  readonly place: ParentNode
  goOn(): void
}

let asked: Question | undefined
const listeners = new Set<() => void>()

function set(next: Question | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Goes on at once, or after a question where that would lose a text that somebody typed in a place. */
export function unlessTyped(place: ParentNode | null, goOn: () => void): void {
  // The keys of the question reach the dialog below it, too; the whole page is left by nothing but a click.
  if (asked !== undefined && place !== document) return
  if (place !== null && hasTypedText(place)) set({ place, goOn })
  else goOn()
}

/** The place of that question; once per page. */
export function DiscardQuestion() {
  const question = useSyncExternalStore(subscribe, () => asked)
  // The dialog below hears the key that closes this one.
  const close = () => void setTimeout(() => set(undefined))
  return (
    <ConfirmDialog
      opened={question !== undefined}
      title={t('Discard changes?')}
      confirm={t('Discard')}
      isDestructive
      isBusy={false}
      error={null}
      zIndex={getDefaultZIndex('modal') + 40}
      onConfirm={() => {
        set(undefined)
        // Whatever asks on the way out has its answer.
        if (question?.place === document) giveUpTyped()
        question?.goOn()
      }}
      onClose={close}
    >
      {t('What you typed is lost.')}
    </ConfirmDialog>
  )
}
