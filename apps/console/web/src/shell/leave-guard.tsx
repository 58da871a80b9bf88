import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { t } from '../base/texts.ts'

/** Asks for a confirmation before a page with changes that are not saved is left. */
export function LeaveGuard({ isDirty }: { isDirty(): boolean }) {
  const blocker = useBlocker({
    // A tab of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isDirty(),
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title={t('shell.discardChanges')}
      confirm={t('shell.leave')}
      isDestructive
      isBusy={false}
      error={null}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('shell.whatYouTypedIsLost')}
    </ConfirmDialog>
  )
}
