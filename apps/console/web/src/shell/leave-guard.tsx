import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { hasTypedText, hasUnsavedText, holdUnsaved, leaveInPlace } from '../base/unsaved.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { t } from '../base/texts.ts'

/** Asks for a confirmation before a page is left on which somebody typed what is not saved; once per page. */
export function LeaveGuard() {
  const blocker = useBlocker({
    // A tab of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      leaveInPlace()
      return hasTypedText(document)
    },
    enableBeforeUnload: hasUnsavedText,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title={t('Discard changes?')}
      confirm={t('Leave')}
      isDestructive
      isBusy={false}
      error={null}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('What you typed is lost.')}
    </ConfirmDialog>
  )
}

/** Tells that guard of an editor that knows its changes itself. */
export function useUnsaved(isChanged: () => boolean): void {
  const latest = useRef(isChanged)
  useEffect(() => {
    latest.current = isChanged
  })
  useEffect(() => holdUnsaved(() => latest.current()), [])
}
