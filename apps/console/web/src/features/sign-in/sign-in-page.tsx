import { ClientError } from '@crm/client'
import type { SignInOutcome } from '@crm/contract'
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { hasPasskeys, showPasskey } from '../../base/passkeys.ts'
import { PasskeyAlert } from '../../domain/sign-in/passkey-alert.tsx'
import { providerAddress, waysQuery } from '../../domain/sign-in/provider-queries.ts'
import { describeRefusal } from '../../base/refusals.ts'
import { sessionQuery } from '../../base/session.ts'
import { CardAlert, SignInCard } from './sign-in-card.tsx'
import { useSignInSteps } from './sign-in-steps.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/sign-in')

/** The page where people sign in. */
export function SignInPage() {
  const { next, error, step: begun } = route.useSearch()
  const { proceed, step } = useSignInSteps(next, begun)
  const ways = useQuery(waysQuery).data
  const [isEmergency, setEmergency] = useState(false)
  const asksForPassword = (ways?.password ?? true) || isEmergency
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => settingsOnce.sessions.login({ body }),
    meta: { handles401: true },
    onSuccess: ({ data }) => proceed(data),
  })
  return (
    <SignInCard
      title={t('Sign in')}
      below={
        <Anchor renderRoot={(props) => <Link to="/docs" {...props} />} size="sm" c="dimmed">
          {t('API reference')}
        </Anchor>
      }
    >
      {step ?? (
        <Stack>
          {error !== undefined && <ProviderProblem error={error} />}
          {asksForPassword && (
            <>
              <PasswordStep isBusy={signIn.isPending} error={signIn.error} onSubmit={signIn.mutate} />
              {!isEmergency && <PasskeySignIn onDone={proceed} />}
            </>
          )}
          {ways?.providers.map(({ slug, name }) => (
            <Button
              key={slug}
              component="a"
              href={providerAddress(slug, { next: next ?? '/' })}
              variant={asksForPassword ? 'default' : 'filled'}
              size="md"
              fullWidth
            >
              {t('Continue with {name}', { name })}
            </Button>
          ))}
          {!asksForPassword && (
            <Button variant="subtle" size="compact-sm" onClick={() => setEmergency(true)}>
              {t('Emergency access with a password')}
            </Button>
          )}
        </Stack>
      )}
    </SignInCard>
  )
}

/** Signs in by a passkey alone, which counts as both steps. */
function PasskeySignIn({ onDone }: { onDone(outcome: SignInOutcome): void }) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { data: options } = await settingsOnce.secondFactors.passkeySignInOptions()
      return settingsOnce.secondFactors.passkeySignIn({ body: { response: await showPasskey(options) } })
    },
    meta: { handles401: true },
    onSuccess: ({ data }) => onDone(data),
  })
  if (!hasPasskeys) return null
  return (
    <>
      <PasskeyAlert error={signIn.error} />
      <Button variant="default" size="md" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {t('Sign in with a passkey')}
      </Button>
    </>
  )
}

interface PasswordStepProps {
  readonly isBusy: boolean
  readonly error: Error | null
  onSubmit(body: { email: string; password: string }): void
}

function PasswordStep({ isBusy, error, onSubmit }: PasswordStepProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onSubmit({ email: textIn(form, 'email'), password: textIn(form, 'password') })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {error && <SignInRefusal error={error} />}
        <TextInput
          name="email"
          type="email"
          label={t('Email')}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          size="md"
        />
        <PasswordInput
          name="password"
          label={t('Password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {t('Sign in')}
        </Button>
        <Group justify="center">
          <Anchor renderRoot={(props) => <Link to="/reset" {...props} />} size="sm">
            {t('Forgot your password?')}
          </Anchor>
        </Group>
      </Stack>
    </form>
  )
}

function SignInRefusal({ error }: { readonly error: Error }) {
  const { title, text } = wordsFor(error)
  return <CardAlert title={title}>{text}</CardAlert>
}

function wordsFor(error: Error) {
  if (error instanceof ClientError && error.status === 401)
    return { title: t('That did not match'), text: t('The email address or the password is wrong.') }
  if (error instanceof ClientError && error.status === 429)
    return { title: t('Too many attempts'), text: t('Try again in a few minutes.') }
  return describeRefusal(error)
}

/** Why a provider did not sign the person in; whoever is signed in already, and wanted to link an account there, may go back. */
function ProviderProblem({ error }: { readonly error: string }) {
  const session = useQuery({ ...sessionQuery, retry: false })
  return (
    <>
      <CardAlert title={t('Something went wrong')}>{providerWords(error)}</CardAlert>
      {session.data !== undefined && (
        <Anchor renderRoot={(props) => <Link to="/settings/security" {...props} />} size="sm">
          {t('Back to your account')}
        </Anchor>
      )}
    </>
  )
}

/** Returns the reason in words why a sign-in with an identity provider failed. */
function providerWords(error: string): string {
  return reasons[error] ?? t('The identity provider did not confirm who you are. Try again.')
}

const reasons: Readonly<Record<string, string>> = {
  SSO_STATE_INVALID: t('The sign-in took too long, or was started in another browser. Try again.'),
  SSO_REFUSED: t('The identity provider refused the sign-in.'),
  SSO_EMAIL_UNVERIFIED: t('The identity provider has not verified your email address.'),
  SSO_EMAIL_INVALID: t('What the identity provider gives as your email address is none. Ask your administrator.'),
  SSO_NOT_PROVISIONED: t('There is no account for you in this workspace. Ask an administrator.'),
  SSO_LINK_CONFLICT: t('Your account is linked to another identity. Ask an administrator.'),
  ACCOUNT_DISABLED: t('Your account is disabled.'),
}
