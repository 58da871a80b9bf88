import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import encodeQr from 'qr'
import type { FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { CopyButton } from '../../shell/copy-button.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import classes from './add-totp.module.css'
import { CodeInput } from './code-input.tsx'
import { t } from '../../base/texts.ts'

/** Sets up an authenticator app: its secret as a picture and as text, and the first code. */
export function AddTotp({ onAdded }: { onAdded(recoveryCodes: readonly string[]): void }) {
  const begin = useMutation({ mutationFn: async () => (await settingsOnce.secondFactors.addTotp()).data })
  const confirm = useMutation({
    mutationFn: async (code: string) => (await settingsOnce.secondFactors.confirmTotp({ body: { code } })).data,
    meta: { handles401: true },
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    confirm.mutate(textIn(new FormData(event.currentTarget), 'code').replaceAll(/\s/g, ''))
  }
  if (begin.data === undefined)
    return (
      <Stack gap="xs">
        <RefusalAlert error={begin.error} />
        <Group>
          <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
            {t('Set up an authenticator app')}
          </Button>
        </Group>
      </Stack>
    )
  const isWrong = isRefusedWith(confirm.error, 'SECOND_FACTOR_INVALID')
  return (
    <form onSubmit={submit} aria-label={t('Authenticator app')}>
      <Stack gap="sm">
        <Text size="sm">{t('Scan this picture with your authenticator app, or type the key into it.')}</Text>
        <img
          className={classes.picture}
          alt={t('The key of your account as a QR code')}
          src={`data:image/svg+xml,${encodeURIComponent(encodeQr(begin.data.uri, 'svg'))}`}
        />
        <Group gap="xs">
          <Code>{begin.data.secret}</Code>
          <CopyButton text={begin.data.secret} label={t('Copy the key')} />
        </Group>
        {!isWrong && <RefusalAlert error={confirm.error} />}
        <CodeInput
          label={t('Code that the app shows now')}
          error={isWrong && t('This code is wrong. Check the time of your device and try the next one.')}
        />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            {t('Confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
