import { ClientError } from '@crm/client'
import { Alert, Anchor, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { isConsolePath, safeNextPath } from '../../base/next-path.ts'
import { describeRefusal } from '../../base/refusals.ts'
import { ColorSchemeButton } from '../../shell/color-scheme-button.tsx'
import { Icon } from '../../shell/icons.tsx'
import classes from './sign-in-page.module.css'

const route = getRouteApi('/sign-in')

/** The page where people sign in. */
export function SignInPage() {
  useDocumentTitle('Sign in · Workspace CRM')
  const signIn = useSignIn()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: textIn(form, 'email'), password: textIn(form, 'password') })
  }
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.head}>
          <Title order={1}>Sign in</Title>
          <ColorSchemeButton />
        </div>
        <form onSubmit={submit}>
          <Stack>
            {signIn.error && <SignInRefusal error={signIn.error} />}
            <TextInput
              name="email"
              type="email"
              label="E-mail"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              size="md"
            />
            <PasswordInput
              name="password"
              label="Password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              size="md"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            />
            <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      </div>
      <Anchor renderRoot={(props) => <Link to="/docs" {...props} />} size="sm" c="dimmed">
        API reference
      </Anchor>
    </main>
  )
}

function useSignIn() {
  const { next } = route.useSearch()
  const router = useRouter()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => settingsOnce.sessions.login({ body }),
    meta: { handles401: true },
    onSuccess: () => {
      client.clear()
      const path = safeNextPath(next, window.location.origin)
      if (isConsolePath(path)) router.history.push(path)
      else window.location.assign(path)
    },
  })
}

function SignInRefusal({ error }: { readonly error: Error }) {
  const { title, text } = wordsFor(error)
  return (
    <Alert color="red" title={title} icon={<Icon name="alert" />} role="alert">
      {text}
    </Alert>
  )
}

function wordsFor(error: Error) {
  if (error instanceof ClientError && error.status === 401)
    return { title: 'That did not match', text: 'The e-mail address or the password is wrong.' }
  if (error instanceof ClientError && error.status === 429)
    return { title: 'Too many attempts', text: 'Wait a few minutes before you try again.' }
  return describeRefusal(error)
}
