import { ClientError } from '@crm/client'
import { PasswordInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { settingsOnce } from '../base/api.ts'
import { textIn } from '../base/form-text.ts'
import { askForProofBy } from '../base/reauthentication.ts'
import { FormDialog } from '../shell/form-dialog.tsx'

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
  const prove = useMutation({
    mutationFn: (password: string) => settingsOnce.sessions.reauthenticate({ body: { password } }),
    meta: { handles401: true },
    onSuccess: () => answer(true),
  })
  const answer = (isProven: boolean) => {
    setAsked(false)
    prove.reset()
    for (const resolve of waiting.current.splice(0)) resolve(isProven)
  }
  const isWrong = prove.error instanceof ClientError && prove.error.status === 401
  return (
    <FormDialog
      opened={isAsked}
      title="Confirm that it is you"
      submit="Confirm"
      isBusy={prove.isPending}
      error={isWrong ? null : prove.error}
      zIndex={aboveOtherDialogs}
      onSubmit={(form) => prove.mutate(textIn(form, 'password'))}
      onClose={() => answer(false)}
    >
      <Text size="sm">You signed in a while ago. Enter your password to go on.</Text>
      <PasswordInput
        name="password"
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        error={isWrong && 'The password is wrong'}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
    </FormDialog>
  )
}

/** The dialog in which the change was made stays open below. */
const aboveOtherDialogs = 300
