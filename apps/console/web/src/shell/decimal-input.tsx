import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { decimalShown, decimalTyped, isNoNumber, sampleNumber } from '../base/decimals.ts'
import { t } from '../base/texts.ts'

interface DecimalInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  /** The number in the API's notation, or what was typed instead of one; without it, the input keeps its own. */
  readonly value?: string | undefined
  readonly defaultValue?: string | undefined
  /** Gets the number in the API's notation, or the text where it is none. */
  onChange?(number: string): void
}

/** An input for numbers as the reader writes them; its form and its owner get them as the API does. What is no number is named once it was left. */
export function DecimalInput({ value, defaultValue = '', name, onChange, ...input }: DecimalInputProps) {
  const [isLeft, setLeft] = useState(false)
  const [typed, setTyped] = useState(() => decimalShown(value ?? defaultValue))
  const shown = value === undefined || decimalTyped(typed) === value ? typed : decimalShown(value)
  const refused =
    isLeft &&
    isNoNumber(shown) &&
    t('“{typed}” is not a number. Write it like {sample}.', { typed: shown.trim(), sample: sampleNumber })
  return (
    <>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        {...input}
        error={refused || input.error}
        value={shown}
        onBlur={(event) => {
          setLeft(true)
          input.onBlur?.(event)
        }}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          onChange?.(decimalTyped(currentTarget.value))
        }}
      />
      {name !== undefined && <input type="hidden" name={name} value={decimalTyped(shown)} />}
    </>
  )
}
