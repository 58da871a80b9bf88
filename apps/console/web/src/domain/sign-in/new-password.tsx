import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { ClientError } from '@crm/client'
import { t } from '../../base/texts.ts'

const words: Readonly<Record<string, string>> = {
  TOO_COMMON: t('signIn.thisPasswordIsEasyTo'),
  BREACHED: t('signIn.thisPasswordIsKnownFrom'),
  CONTAINS_IDENTITY: t('signIn.thePasswordContainsYourName'),
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
      label={t('common.password')}
      description={t('signIn.atLeast10CharactersA')}
      autoComplete="new-password"
      required
      withAsterisk={false}
      {...props}
    />
  )
}
