import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'

interface TypedSelectProps extends SelectProps {
  /** Whether what is offered belongs to what is typed; true where all choices are there from the start. */
  readonly isAnswered?: boolean
}

/**
 * A list of choices that is searched. The first match is marked while somebody types, so that Enter chooses it; before that the chosen one is,
 * so that Enter keeps it.
 */
export function TypedSelect({ isAnswered = true, onDropdownClose, onInput, ...props }: TypedSelectProps) {
  const [isTyped, setTyped] = useState(false)
  return (
    <Select
      {...props}
      selectFirstOptionOnChange={isTyped && isAnswered}
      onInput={(event) => {
        setTyped(true)
        onInput?.(event)
      }}
      onDropdownClose={() => {
        setTyped(false)
        onDropdownClose?.()
      }}
    />
  )
}
