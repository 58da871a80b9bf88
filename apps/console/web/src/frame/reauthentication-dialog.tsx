import { ClientError } from '@crm/client'
import { Button, PasswordInput, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { settingsOnce } from '../base/api.ts'
import { textIn } from '../base/form-text.ts'
import { hasPasskeys, showPasskey } from '../base/passkeys.ts'
import { askForProofBy } from '../base/reauthentication.ts'
import { CodeInput } from '../domain/sign-in/code-input.tsx'
import { factorsQuery } from '../domain/sign-in/factors-query.ts'
import { PasskeyAlert } from '../domain/sign-in/passkey-alert.tsx'
import { FormDialog } from '../shell/form-dialog.tsx'
import { t } from '../base/texts.ts'

/** The proofs that a person can give: the password, a code of the app, or a passkey. */
type Way = 'PASSWORD' | 'TOTP' | 'PASSKEY'

/** Asks people who signed in a while ago to confirm that it is them, whenever a change needs it. */
export function ReauthenticationDialog() {
  const [isAsked, setAsked] = useState(false)
  const waiting = useRef<((isProven: boolean) => void)[]>([])
  useEffect(
    () =>
      askForProofBy(() => {
        setAsked(true)
        return new Promise((resolve) => waiting.current.push(resolve))
      }),
    [],
  )
  const answer = (isProven: boolean) => {
    setAsked(false)
    for (const resolve of waiting.current.splice(0)) resolve(isProven)
  }
  return isAsked && <ProofDialog onAnswer={answer} />
}

function ProofDialog({ onAnswer }: { onAnswer(isProven: boolean): void }) {
  const [way, setWay] = useState<Way>('PASSWORD')
  const factors = useQuery(factorsQuery).data
  const prove = useMutation({
    mutationFn: async (form: FormData) => {
      if (way === 'PASSWORD')
        return settingsOnce.sessions.reauthenticate({ body: { password: textIn(form, 'password') } })
      if (way === 'TOTP')
        return settingsOnce.sessions.reauthenticate({ body: { method: 'TOTP', code: textIn(form, 'code').trim() } })
      const { data: options } = await settingsOnce.secondFactors.secondFactorOptions()
      return settingsOnce.sessions.reauthenticate({ body: { response: await showPasskey(options) } })
    },
    meta: { handles401: true },
    onSuccess: () => onAnswer(true),
  })
  const ways: readonly Way[] = [
    'PASSWORD',
    ...(factors?.totp ? (['TOTP'] as const) : []),
    ...(hasPasskeys && factors?.passkeys.length ? (['PASSKEY'] as const) : []),
  ]
  const isWrong = prove.error instanceof ClientError && prove.error.status === 401
  return (
    <FormDialog
      opened
      title={t('frame.confirmThatItIsYou')}
      submit={t('common.confirm')}
      isBusy={prove.isPending}
      error={isWrong || way === 'PASSKEY' ? null : prove.error}
      zIndex={aboveOtherDialogs}
      onSubmit={prove.mutate}
      onClose={() => onAnswer(false)}
    >
      <Text size="sm">{explanations[way]}</Text>
      {way === 'PASSWORD' && (
        <PasswordInput
          name="password"
          label={t('common.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={isWrong && t('frame.thePasswordIsWrong')}
        />
      )}
      {way === 'TOTP' && <CodeInput error={isWrong && t('frame.thisCodeIsWrongOr')} data-autofocus />}
      {way === 'PASSKEY' && <PasskeyAlert error={prove.error} />}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button
            key={other}
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              prove.reset()
              setWay(other)
            }}
          >
            {invitations[other]}
          </Button>
        ))}
    </FormDialog>
  )
}

const explanations = {
  PASSWORD: t('frame.youSignedInAWhile'),
  TOTP: t('frame.youSignedInAWhileAgo'),
  PASSKEY: t('frame.youSignedInAWhileAgoConfirm'),
} as const

const invitations = {
  PASSWORD: t('frame.useThePassword'),
  TOTP: t('frame.useACodeFromYour'),
  PASSKEY: t('frame.useAPasskey'),
} as const

/** The dialog in which the change was made stays open below. */
const aboveOtherDialogs = 300
