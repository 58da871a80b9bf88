import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { useLinkToken } from './link-token.ts'
import { NewPasswordInput, passwordProblem } from '../../domain/sign-in/new-password.tsx'
import { CardAlert, SignInCard, ToSignIn } from './sign-in-card.tsx'
import { useSignInSteps } from './sign-in-steps.tsx'
import { t } from '../../base/texts.ts'

/** The page for a forgotten password: it sends a link, and behind the link asks for a new password. */
export function ResetPage() {
  const [token, forgetToken] = useLinkToken()
  return (
    <SignInCard title={token === undefined ? t('Forgotten password') : t('New password')} below={<ToSignIn />}>
      {token === undefined ? <LinkRequest /> : <Choosing key={token} token={token} onDead={forgetToken} />}
    </SignInCard>
  )
}

function LinkRequest() {
  const request = useMutation({
    mutationFn: (email: string) => settingsOnce.accountLinks.requestReset({ body: { email } }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    request.mutate(textIn(new FormData(event.currentTarget), 'email'))
  }
  if (request.isSuccess)
    return (
      <Text role="status">
        {t.rich(
          'If there is an account for <b>{variables}</b>, a link is on its way to it. It is valid for 30 minutes.',
          { variables: request.variables, b: (text) => <b>{text}</b> },
        )}
      </Text>
    )
  return (
    <form onSubmit={submit} aria-label={t('Forgotten password')}>
      <Stack>
        <Text size="sm">{t('You get a link by email, with which you choose a new password.')}</Text>
        <RefusalAlert error={request.error} />
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
        <Button type="submit" size="md" fullWidth loading={request.isPending}>
          {t('Send link')}
        </Button>
      </Stack>
    </form>
  )
}

function Choosing({ token, onDead }: { readonly token: string; onDead(): void }) {
  const { proceed, step } = useSignInSteps()
  const reset = useMutation({
    mutationFn: (form: FormData) =>
      settingsOnce.accountLinks.reset({
        body: { token, password: textIn(form, 'password'), endConnections: form.get('endConnections') !== null },
      }),
    meta: { handles401: true },
    onSuccess: ({ data }) => proceed(data),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    reset.mutate(new FormData(event.currentTarget))
  }
  if (step !== null) return step
  if (isRefusedWith(reset.error, 'LINK_INVALID'))
    return (
      <Stack>
        <CardAlert title={t('This link does not work')}>
          {t('It was used, is too old, or was replaced by a newer one.')}
        </CardAlert>
        <Button variant="default" onClick={onDead}>
          {t('Send another link')}
        </Button>
      </Stack>
    )
  return (
    <form onSubmit={submit} aria-label={t('Choose a password')}>
      <Stack>
        <Text size="sm">{t('Your other sessions end.')}</Text>
        {!isRefusedWith(reset.error, 'VALIDATION_ERROR') && <RefusalAlert error={reset.error} />}
        <NewPasswordInput label={t('New password')} error={passwordProblem(reset.error)} autoFocus size="md" />
        <Checkbox
          name="endConnections"
          size="xs"
          label={t('Also end my API keys and connected clients')}
          description={t('Choose this if somebody else may know your old password.')}
        />
        <Button type="submit" size="md" fullWidth loading={reset.isPending}>
          {t('Save password')}
        </Button>
      </Stack>
    </form>
  )
}
