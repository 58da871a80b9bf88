import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { decimalShown, decimalTyped } from '../base/decimals.ts'

interface DecimalInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  /** The number in the API's notation, or what was typed instead of one; without it, the input keeps its own. */
  readonly value?: string | undefined
  readonly defaultValue?: string | undefined
  /** Gets the number in the API's notation, or the text where it is none. */
  onChange?(number: string): void
}

/** An input for numbers as the reader writes them; its form and its owner get them as the API does. */
export function DecimalInput({ value, defaultValue = '', name, onChange, ...input }: DecimalInputProps) {
  const [typed, setTyped] = useState(() => decimalShown(value ?? defaultValue))
  const shown = value === undefined || decimalTyped(typed) === value ? typed : decimalShown(value)
  return (
    <>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        {...input}
        value={shown}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          onChange?.(decimalTyped(currentTarget.value))
        }}
      />
      {name !== undefined && <input type="hidden" name={name} value={decimalTyped(shown)} />}
    </>
  )
}
