import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { ClientError } from '@crm/client'
import { t } from '../../base/texts.ts'

const words: Readonly<Record<string, string>> = {
  TOO_COMMON: t('This password is easy to guess. Add another word or two.'),
  BREACHED: t('This password is known from a data breach. Choose another one.'),
  CONTAINS_IDENTITY: t('The password contains your name or your address.'),
}

interface Issue {
  readonly path?: readonly unknown[]
  readonly code?: string
  readonly message?: string
}

/** Returns the problem of a new password in words. */
export function passwordProblem(error: unknown): string | undefined {
  if (!(error instanceof ClientError)) return undefined
  const { issues } = (error.body ?? {}) as { issues?: readonly Issue[] }
  const issue = issues?.find(({ path }) => path?.[0] === 'password' || path?.[0] === 'next')
  return issue && (words[issue.code ?? ''] ?? issue.message)
}

/** The field of a new password. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      name="password"
      label={t('Password')}
      description={t('At least 10 characters. A few words that only you connect are best.')}
      autoComplete="new-password"
      required
      withAsterisk={false}
      {...props}
    />
  )
}
