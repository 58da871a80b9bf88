import { TextInput, type TextInputProps } from '@mantine/core'

/** The field of a code from an authenticator app. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      name="code"
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      required
      withAsterisk={false}
      {...props}
    />
  )
}
