import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { RefusalAlert } from './states.tsx'

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly children: ReactNode
  /** What the button says: the verb of what happens. */
  readonly confirm: string
  readonly isBusy: boolean
  readonly error: unknown
  /** Whether something is lost. */
  readonly isDestructive?: boolean
  onConfirm(): void
  onClose(): void
}

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  isBusy,
  error,
  isDestructive = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        <RefusalAlert error={error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color={isDestructive ? 'red.9' : undefined} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
