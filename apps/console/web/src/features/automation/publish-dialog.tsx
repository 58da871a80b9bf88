import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './automation.module.css'

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
    <Modal
      opened={published !== null}
      onClose={onClose}
      title="The workflow is published"
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
              Address
            </Text>
            <code className={classes.secret} aria-label="Webhook address" tabIndex={0}>
              {url}
            </code>
          </div>
        )}
        {secret !== undefined && (
          <div>
            <Text size="sm" fw={500}>
              Secret, for the header x-api-key
            </Text>
            <code className={classes.secret} aria-label="Webhook secret" tabIndex={0}>
              {secret}
            </code>
            <Alert color="yellow" mt="sm">
              Copy it now and keep it safe: it is shown only this once.
            </Alert>
          </div>
        )}
        {url !== null && secret === undefined && <Text size="sm">Address and secret are the same as before.</Text>}
        <Group justify="space-between">
          {secret === undefined ? <span /> : <CopyButton text={secret} label="Copy the secret" />}
          <Button onClick={onClose}>{secret === undefined ? 'Close' : 'I have stored it'}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
