import { NativeSelect } from '@mantine/core'

interface ChoiceFilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** The value that was chosen; empty for any. */
  onChange(value: string): void
}

/** Narrows a list to what was chosen; nothing is chosen at first. */
export function ChoiceFilter({ label, value = '', choices, onChange }: ChoiceFilterProps) {
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: `Any ${label.toLowerCase()}` }, ...choices]}
    />
  )
}
