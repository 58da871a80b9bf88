import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './automation.module.css'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** The answer to publishing, or to a new secret. */
export interface Published {
  readonly url: string | null
  /** The secret, given only the first time and when it was replaced. */
  readonly secret?: string
}

/** Shows the address of a webhook, and its secret the only time that it can be seen. */
export function PublishDialog({ published, onClose }: { readonly published: Published | null; onClose(): void }) {
  const { url = null, secret } = published ?? {}
  return (
    // A click outside or Escape would lose the secret for good.
    <Dialog
      opened={published !== null}
      onClose={onClose}
      title={t('Workflow turned on')}
      closeOnClickOutside={secret === undefined}
      closeOnEscape={secret === undefined}
      withCloseButton={false}
      centered
      size="lg"
    >
      <Stack>
        {url !== null && (
          <div>
            <Text size="sm" fw={500}>
              {t('Address')}
            </Text>
            <code className={classes.secret} aria-label={t('Webhook address')} tabIndex={0}>
              {url}
            </code>
          </div>
        )}
        {secret !== undefined && (
          <div>
            <Text size="sm" fw={500}>
              {t('Secret, for the header x-api-key')}
            </Text>
            <code className={classes.secret} aria-label={t('Webhook secret')} tabIndex={0}>
              {secret}
            </code>
            <Alert color="yellow" mt="sm">
              {t('Copy it now; it is shown only once.', { context: 'a secret' })}
            </Alert>
          </div>
        )}
        {url !== null && secret === undefined && (
          <Text size="sm">{t('Address and secret are the same as before.')}</Text>
        )}
        <Group justify="space-between">
          {secret === undefined ? <span /> : <CopyButton text={secret} label={t('Copy the secret')} />}
          <Button onClick={onClose}>
            {secret === undefined ? t('Close') : t('I saved it', { context: 'a secret' })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
