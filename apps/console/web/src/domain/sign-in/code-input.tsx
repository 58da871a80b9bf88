import { TextInput, type TextInputProps } from '@mantine/core'
import { t } from '../../base/texts.ts'

/** The field of a code from an authenticator app. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      name="code"
      label={t('Code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      required
      withAsterisk={false}
      {...props}
    />
  )
}
