import { ClientError } from '@crm/client'
import { Button, PasswordInput, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { settingsOnce } from '../base/api.ts'
import { textIn } from '../base/form-text.ts'
import { hasPasskeys, showPasskey } from '../base/passkeys.ts'
import { CodeInput } from '../domain/sign-in/code-input.tsx'
import { factorsQuery } from '../domain/sign-in/factors-query.ts'
import { PasskeyAlert } from '../domain/sign-in/passkey-alert.tsx'
import { onProvenAtProvider, openProvider } from '../domain/sign-in/provider-proof.ts'
import { identitiesQuery } from '../domain/sign-in/provider-queries.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { t } from '../base/texts.ts'

/** The proofs that a person can give: the password, a code of the app, a passkey, or a sign-in at a linked provider. */
type Way = 'PASSWORD' | 'TOTP' | 'PASSKEY' | 'SSO'

/** Asks for one of the proofs. */
export function ProofDialog({ onAnswer }: { onAnswer(isProven: boolean): void }) {
  const factors = useQuery(factorsQuery).data
  const provider = useQuery(identitiesQuery).data?.find(({ slug }) => slug !== null)
  const [chosen, setChosen] = useState<Way>()
  // Whoever signs in at a provider may have no password at all.
  const way = chosen ?? (provider ? 'SSO' : 'PASSWORD')
  const prove = useMutation({
    mutationFn: (form: FormData) => giveProof(way, form, provider?.slug),
    meta: { handles401: true },
    // A provider proves it in another window, which tells this one.
    onSuccess: () => way !== 'SSO' && onAnswer(true),
  })
  useEffect(() => onProvenAtProvider(() => onAnswer(true)), [onAnswer])
  const ways: readonly Way[] = [
    ...(provider ? (['SSO'] as const) : []),
    'PASSWORD',
    ...(factors?.totp ? (['TOTP'] as const) : []),
    ...(hasPasskeys && factors?.passkeys.length ? (['PASSKEY'] as const) : []),
  ]
  const name = provider?.providerName ?? ''
  const isWrong = prove.error instanceof ClientError && prove.error.status === 401
  return (
    <FormDialog
      opened
      title={t('Confirm that it is you')}
      submit={way === 'SSO' ? t('Continue with {name}', { name }) : t('Confirm')}
      isBusy={prove.isPending}
      error={isWrong || way === 'PASSKEY' ? null : prove.error}
      zIndex={aboveOtherDialogs}
      onSubmit={prove.mutate}
      onClose={() => onAnswer(false)}
    >
      <Text size="sm">{explanations[way](name)}</Text>
      {way === 'PASSWORD' && (
        <PasswordInput
          name="password"
          label={t('Password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={isWrong && t('The password is wrong')}
        />
      )}
      {way === 'TOTP' && <CodeInput error={isWrong && t('This code is wrong, or was used before.')} data-autofocus />}
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
              setChosen(other)
            }}
          >
            {invitations[other](name)}
          </Button>
        ))}
    </FormDialog>
  )
}

async function giveProof(way: Way, form: FormData, slug: string | null | undefined): Promise<void> {
  if (way === 'SSO') {
    if (!slug || !openProvider(slug))
      throw new Error(t('The browser opened no window. Allow windows for this page and try again.'))
  } else if (way === 'PASSWORD')
    await settingsOnce.sessions.reauthenticate({ body: { password: textIn(form, 'password') } })
  else if (way === 'TOTP')
    await settingsOnce.sessions.reauthenticate({ body: { method: 'TOTP', code: textIn(form, 'code').trim() } })
  else {
    const { data: options } = await settingsOnce.secondFactors.secondFactorOptions()
    await settingsOnce.sessions.reauthenticate({ body: { response: await showPasskey(options) } })
  }
}

const explanations = {
  PASSWORD: () => t('You signed in a while ago. Enter your password to go on.'),
  TOTP: () => t('You signed in a while ago. Enter the code that your authenticator app shows now.'),
  PASSKEY: () => t('You signed in a while ago. Confirm with your device or security key.'),
  SSO: (name: string) =>
    t('You signed in a while ago. Sign in at {name} once more to go on; this page stays as it is.', { name }),
} as const

const invitations = {
  PASSWORD: () => t('Use the password'),
  TOTP: () => t('Use a code from your app'),
  PASSKEY: () => t('Use a passkey'),
  SSO: (name: string) => t('Continue with {name}', { name }),
} as const

/** The dialog in which the change was made stays open below. */
const aboveOtherDialogs = 300
