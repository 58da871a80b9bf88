import { Select, type SelectProps } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import classes from './typed-select.module.css'

interface TypedSelectProps extends SelectProps {
  /** Whether what is offered belongs to what is typed; true where all choices are there from the start. */
  readonly isAnswered?: boolean
}

/** A list of choices that is searched: Enter takes the first match of what was typed, and keeps what was chosen where nothing was. */
export function TypedSelect({ isAnswered = true, onDropdownClose, onInput, ...props }: TypedSelectProps) {
  const [isTyped, setTyped] = useState(false)
  const isMarked = isTyped && isAnswered
  const takeFirst = (event: KeyboardEvent<HTMLInputElement>) => {
    const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
    if (event.key !== 'Enter' || !isMarked || list?.querySelector('[data-combobox-selected]') !== null) return
    const first = list.querySelector<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')
    if (first === null) return
    event.preventDefault()
    event.stopPropagation()
    first.click()
  }
  return (
    <Select
      {...props}
      {...(isMarked ? { classNames: { dropdown: classes.marked } } : {})}
      onKeyDownCapture={takeFirst}
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
