import type { SecondFactorMethod } from '@crm/contract'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { showPasskey } from '../../base/passkeys.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { PasskeyAlert } from '../../domain/sign-in/passkey-alert.tsx'
import { CodeInput } from '../../domain/sign-in/code-input.tsx'
import { t } from '../../base/texts.ts'

export interface StepProps {
  readonly methods: readonly SecondFactorMethod[]
  onDone(): void
  onExpired(): void
}

/** Asks for the second factor of a sign-in. */
export function SecondStep({ methods, onDone, onExpired }: StepProps) {
  const [method, setMethod] = useState<SecondFactorMethod>(methods[0] ?? 'TOTP')
  const check = useMutation({
    mutationFn: async (code: string) => {
      const shown =
        method === 'PASSKEY'
          ? { response: await showPasskey((await settingsOnce.secondFactors.secondFactorOptions()).data) }
          : { code }
      return settingsOnce.secondFactors.secondFactor({ body: { method, ...shown } })
    },
    meta: { handles401: true },
    onSuccess: onDone,
    onError: (error) => {
      if (isRefusedWith(error, 'SIGN_IN_EXPIRED')) onExpired()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    check.mutate(textIn(new FormData(event.currentTarget), 'code').replaceAll(/\s/g, ''))
  }
  const wrong = isRefusedWith(check.error, 'SECOND_FACTOR_INVALID') && t('This code is wrong, or was used before.')
  const choose = (other: SecondFactorMethod) => {
    check.reset()
    setMethod(other)
  }
  return (
    <form key={method} onSubmit={submit} aria-label={t('Two-step verification')}>
      <Stack>
        <Text size="sm">{explanations[method]}</Text>
        {method === 'PASSKEY' && <PasskeyAlert error={check.error} />}
        {method !== 'PASSKEY' && wrong === false && <RefusalAlert error={check.error} />}
        {method === 'TOTP' && <CodeInput error={wrong} size="md" autoFocus />}
        {method === 'RECOVERY_CODE' && (
          <TextInput
            name="code"
            label={t('Recovery code')}
            autoComplete="off"
            required
            withAsterisk={false}
            error={wrong}
            size="md"
            autoFocus
          />
        )}
        <Button type="submit" size="md" fullWidth loading={check.isPending}>
          {method === 'PASSKEY' ? t('Use passkey') : t('Continue')}
        </Button>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="subtle" size="compact-sm" onClick={() => choose(other)}>
              {invitations[other]}
            </Button>
          ))}
      </Stack>
    </form>
  )
}

const explanations = {
  TOTP: t('Enter the code that your authenticator app shows now.'),
  PASSKEY: t('Confirm with your device or security key.'),
  RECOVERY_CODE: t('Enter one of the codes that you saved when you set up two-step verification. Each works once.'),
} as const

const invitations = {
  TOTP: t('Use a code from your app'),
  PASSKEY: t('Use a passkey'),
  RECOVERY_CODE: t('Use a recovery code'),
} as const
