import { Alert, Button, Group, Stack } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './new-key-dialog.module.css'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** A key that was just made. */
export interface NewKey {
  readonly name: string
  readonly key: string
}

interface NewKeyDialogProps {
  readonly made: NewKey | null
  /** The word for it. */
  readonly noun?: 'key' | 'token'
  onClose(): void
}

/** Shows a new key or token the only time that it can be seen. */
export function NewKeyDialog({ made, noun = 'key', onClose }: NewKeyDialogProps) {
  return (
    // A click outside or Escape would lose the key for good.
    <Dialog
      opened={made !== null}
      onClose={onClose}
      title={t(noun === 'key' ? 'The key {name}' : 'The token {name}', { name: made?.name ?? '' })}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      centered
    >
      <Stack>
        <Alert color="yellow">{t('Copy it now; it is shown only once.')}</Alert>
        <code className={classes.key} aria-label={noun === 'key' ? t('API key') : t('Token')} tabIndex={0}>
          {made?.key}
        </code>
        <Group justify="space-between">
          <CopyButton text={made?.key ?? ''} label={t(noun === 'key' ? 'Copy the key' : 'Copy the token')} />
          <Button onClick={onClose}>{t('I saved it')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
