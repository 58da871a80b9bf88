import { Button, getDefaultZIndex, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { RefusalAlert } from './states.tsx'
import { t } from '../base/texts.ts'

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly children: ReactNode
  /** The text of the button: the verb of the action. */
  readonly confirm: string
  readonly isBusy: boolean
  readonly error: unknown
  /** Whether the action loses data. */
  readonly isDestructive?: boolean
  readonly zIndex?: number
  onConfirm(): void
  onClose(): void
}

/** Asks for a confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  isBusy,
  error,
  isDestructive = false,
  zIndex = getDefaultZIndex('modal'),
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} zIndex={zIndex} centered>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        <RefusalAlert error={error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('Cancel')}
          </Button>
          <Button color={isDestructive ? 'red.9' : undefined} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
