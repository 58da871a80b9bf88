import { Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeInstant } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { useLinkToken } from './link-token.ts'
import { NewPasswordInput, passwordProblem } from '../../domain/sign-in/new-password.tsx'
import { CardAlert, SignInCard, ToSignIn } from './sign-in-card.tsx'
import { useSignInSteps } from './sign-in-steps.tsx'
import { t } from '../../base/texts.ts'

/** The page behind the link of an invitation: the person chooses a password and joins. */
export function InvitePage() {
  const [token] = useLinkToken()
  const looking = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await settingsOnce.accountLinks.lookAtInvitation({ body: { token: token ?? '' } })).data,
    enabled: token !== undefined,
    staleTime: Infinity,
    meta: { handles401: true },
  })
  if (token === undefined || isRefusedWith(looking.error, 'LINK_INVALID'))
    return (
      <SignInCard title={t('Invitation')} below={<ToSignIn />}>
        <CardAlert title={t('This link does not work')}>
          {t('It was used, is too old, or was replaced by a newer one. Ask the person who invited you for another.')}
        </CardAlert>
      </SignInCard>
    )
  const invitation = looking.data
  return (
    <SignInCard
      title={
        invitation === undefined
          ? t('Invitation')
          : t('Join {workspaceName}', { workspaceName: invitation.workspaceName })
      }
    >
      <RefusalAlert error={looking.error} retry={() => void looking.refetch()} />
      {invitation === undefined ? (
        looking.error === null && <LoadingLines label={t('Loading invitation')} />
      ) : (
        <Joining key={token} token={token} invitation={invitation} />
      )}
    </SignInCard>
  )
}

interface JoiningProps {
  readonly token: string
  readonly invitation: { readonly email: string; readonly invitedByName: string; readonly expiresAt: string }
}

function Joining({ token, invitation: { email, invitedByName, expiresAt } }: JoiningProps) {
  const { proceed, step } = useSignInSteps()
  const join = useMutation({
    mutationFn: (form: FormData) => {
      const name = (field: string) => textIn(form, field).trim() || null
      return settingsOnce.accountLinks.acceptInvitation({
        body: { token, password: textIn(form, 'password'), firstName: name('firstName'), lastName: name('lastName') },
      })
    },
    meta: { handles401: true },
    onSuccess: ({ data }) => proceed(data),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    join.mutate(new FormData(event.currentTarget))
  }
  if (step !== null) return step
  const errors = fieldErrors(join.error)
  return (
    <form onSubmit={submit} aria-label={t('Join')}>
      <Stack>
        <Text size="sm">
          {t.rich('{invitedByName} invites you as <b>{email}</b>. The invitation is valid until {expiresAt}.', {
            invitedByName,
            email,
            expiresAt: describeInstant(expiresAt),
            b: (text) => <b>{text}</b>,
          })}
        </Text>
        {isRefusedWith(join.error, 'LINK_INVALID') ? (
          <CardAlert title={t('This link does not work any more')}>
            {t('Ask the person who invited you for another one.')}
          </CardAlert>
        ) : (
          !isRefusedWith(join.error, 'VALIDATION_ERROR') && <RefusalAlert error={join.error} />
        )}
        <SimpleGrid cols={2} spacing="sm">
          <TextInput
            name="firstName"
            label={t('First name')}
            autoComplete="given-name"
            error={errors['firstName']}
            autoFocus
          />
          <TextInput name="lastName" label={t('Last name')} autoComplete="family-name" error={errors['lastName']} />
        </SimpleGrid>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <NewPasswordInput error={passwordProblem(join.error)} />
        <Button type="submit" size="md" fullWidth loading={join.isPending}>
          {t('Join')}
        </Button>
      </Stack>
    </form>
  )
}
