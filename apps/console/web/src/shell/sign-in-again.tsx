import { Button, getDefaultZIndex, Group, Modal, Stack, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { t } from '../base/texts.ts'

let isAsked = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  isAsked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks the person to sign in beside this page, which keeps what they typed. */
export function askToSignInAgain(): void {
  set(true)
}

/** The place of that question; once per page. */
export function SignInAgain() {
  const opened = useSyncExternalStore(subscribe, () => isAsked)
  const close = () => set(false)
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('You are signed out')}
      zIndex={getDefaultZIndex('modal') + 50}
      centered
    >
      <Stack>
        <Text size="sm">{t('What you typed is still here. Sign in in a new tab, come back, and save again.')}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t('Stay here')}
          </Button>
          <Button component="a" href="/sign-in" target="_blank" rel="noopener" onClick={close} data-autofocus>
            {t('Sign in in a new tab')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
