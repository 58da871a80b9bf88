import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { hasPasskeys, makePasskey } from '../../base/passkeys.ts'
import { PasskeyAlert } from './passkey-alert.tsx'
import { t } from '../../base/texts.ts'

/** Makes a passkey on this device or on a security key. */
export function AddPasskey({ onAdded }: { onAdded(): void }) {
  const [round, setRound] = useState(0)
  const add = useMutation({
    mutationFn: async (name: string) => {
      const { data: options } = await settingsOnce.secondFactors.passkeyOptions()
      return settingsOnce.secondFactors.addPasskey({ body: { name, response: await makePasskey(options) } })
    },
    meta: { handles401: true },
    onSuccess: () => {
      setRound(round + 1)
      onAdded()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(textIn(new FormData(event.currentTarget), 'name').trim())
  }
  if (!hasPasskeys) return null
  return (
    <form key={round} onSubmit={submit} aria-label={t('New passkey')}>
      <Stack gap="xs">
        <PasskeyAlert error={add.error} />
        <Group align="end" gap="xs">
          <TextInput
            name="name"
            label={t('Name of the passkey')}
            placeholder={t('Laptop')}
            maxLength={100}
            required
            withAsterisk={false}
            autoComplete="off"
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            {t('Add passkey')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
