import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './automation.module.css'
import { t } from '../../base/texts.ts'
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
      title={t('automation.theWorkflowIsPublished')}
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
              {t('common.address')}
            </Text>
            <code className={classes.secret} aria-label={t('automation.webhookAddress')} tabIndex={0}>
              {url}
            </code>
          </div>
        )}
        {secret !== undefined && (
          <div>
            <Text size="sm" fw={500}>
              {t('automation.secretForTheHeaderX')}
            </Text>
            <code className={classes.secret} aria-label={t('automation.webhookSecret')} tabIndex={0}>
              {secret}
            </code>
            <Alert color="yellow" mt="sm">
              {t('automation.copyItNowItIs')}
            </Alert>
          </div>
        )}
        {url !== null && secret === undefined && <Text size="sm">{t('automation.addressAndSecretAreThe')}</Text>}
        <Group justify="space-between">
          {secret === undefined ? <span /> : <CopyButton text={secret} label={t('automation.copyTheSecret')} />}
          <Button onClick={onClose}>{secret === undefined ? t('automation.close') : t('automation.iSavedIt')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
