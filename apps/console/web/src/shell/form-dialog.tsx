import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { isRefusedWith } from '../base/refusals.ts'
import { RefusalAlert } from './states.tsx'

interface FormDialogProps {
  readonly opened: boolean
  readonly title: string
  /** What the button says: the verb of what happens. */
  readonly submit: string
  readonly isBusy: boolean
  /** Whether something is still to be chosen before the form can be sent. */
  readonly isIncomplete?: boolean
  /** What is wrong with a field is shown by the field; everything else stands above the buttons. */
  readonly error: unknown
  readonly size?: string
  readonly children: ReactNode
  onSubmit(form: FormData): void
  onClose(): void
}

/** A form in a dialog; it begins anew each time it opens. */
export function FormDialog({
  opened,
  title,
  submit,
  isBusy,
  isIncomplete = false,
  error,
  size,
  children,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      <form onSubmit={send} aria-label={title}>
        <Stack>
          {children}
          {!isRefusedWith(error, 'VALIDATION_ERROR') && <RefusalAlert error={error} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={isIncomplete}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
