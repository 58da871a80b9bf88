import { Button, getDefaultZIndex, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { isRefusedWith } from '../base/refusals.ts'
import { RefusalAlert } from './states.tsx'
import { t } from '../base/texts.ts'
import { Dialog, DialogButtons } from './dialog.tsx'

interface FormDialogProps {
  readonly opened: boolean
  readonly title: string
  /** The text of the button: the verb of the action. */
  readonly submit: string
  readonly isBusy: boolean
  /** Whether a choice is still missing before the form can be sent. */
  readonly isIncomplete?: boolean
  /** The failure of the form; a field shows its own problem, and the others are above the buttons. */
  readonly error: unknown
  /** Whether the action loses data. */
  readonly isDestructive?: boolean
  /** The text of the button that closes the dialog. */
  readonly cancel?: string
  readonly size?: string
  readonly zIndex?: number
  readonly children: ReactNode
  onSubmit(form: FormData): void
  onClose(): void
}

/** A form in a dialog; it starts afresh each time it opens. */
export function FormDialog({
  opened,
  title,
  submit,
  isBusy,
  isIncomplete = false,
  error,
  isDestructive = false,
  cancel = t('Cancel'),
  size,
  zIndex = getDefaultZIndex('modal'),
  children,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={size} zIndex={zIndex}>
      <form onSubmit={send} aria-label={title}>
        <Stack>
          {children}
          {!isRefusedWith(error, 'VALIDATION_ERROR') && <RefusalAlert error={error} />}
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
            <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={isBusy} disabled={isIncomplete}>
              {submit}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
