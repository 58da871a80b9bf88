import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './new-key-dialog.module.css'

/** A key that was just made. */
export interface NewKey {
  readonly name: string
  readonly key: string
}

/** Shows a new key the only time that it can be seen. */
export function NewKeyDialog({ made, onClose }: { readonly made: NewKey | null; onClose(): void }) {
  return (
    // A click outside or Escape would lose the key for good.
    <Modal
      opened={made !== null}
      onClose={onClose}
      title={`The key ${made?.name ?? ''}`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      centered
    >
      <Stack>
        <Alert color="yellow">Copy it now and keep it safe: it is shown only this once.</Alert>
        <code className={classes.key} aria-label="API key" tabIndex={0}>
          {made?.key}
        </code>
        <Group justify="space-between">
          <CopyButton text={made?.key ?? ''} label="Copy the key" />
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
