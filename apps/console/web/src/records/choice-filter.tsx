import { NativeSelect } from '@mantine/core'
import { inSentence, t } from '../base/texts.ts'

interface ChoiceFilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** Reports the chosen value; empty for any. */
  onChange(value: string): void
}

/** Narrows a list to the chosen value; initially none is chosen. */
export function ChoiceFilter({ label, value = '', choices, onChange }: ChoiceFilterProps) {
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: t('records.anyLabel', { label: inSentence(label) }) }, ...choices]}
    />
  )
}
