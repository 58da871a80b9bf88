import { Textarea, TextInput } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useId, useRef, useState, type FocusEvent } from 'react'
import classes from './template-field.module.css'
import { t } from '../base/texts.ts'

const closeAfterMs = 200

interface TemplateFieldProps {
  readonly label: string
  readonly value: string
  /** The paths that can be inserted. */
  readonly variables: readonly string[]
  readonly error?: string | undefined
  readonly description?: string
  readonly isLong?: boolean
  readonly isLabelHidden?: boolean
  onChange(value: string): void
}

/** A text field that may hold variables; while it has the focus, it offers the known ones. */
export function TemplateField({
  label,
  value,
  variables,
  error,
  description,
  isLong = false,
  isLabelHidden = false,
  onChange,
}: TemplateFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const listId = useId()
  const insert = (path: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = input.current ?? {}
    onChange(`${value.slice(0, selectionStart ?? value.length)}{{${path}}}${value.slice(selectionEnd ?? value.length)}`)
    input.current?.focus()
  }
  // Closing at once would move the content below away under a click.
  const { start, clear } = useTimeout(() => setOpen(false), closeAfterMs)
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) start()
  }
  const shared = {
    ref: input,
    value,
    error,
    description,
    autoComplete: 'off',
    spellCheck: false,
    ...(isLabelHidden ? { 'aria-label': label } : { label }),
    onFocus: () => {
      clear()
      setOpen(true)
    },
  }
  return (
    <div onBlur={leave}>
      {isLong ? (
        <Textarea
          {...shared}
          autosize
          minRows={3}
          maxRows={16}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />
      )}
      {isOpen && variables.length > 0 && (
        <div className={classes.variables} id={listId} role="group" aria-label={t('Variables')}>
          {variables.map((path) => (
            <button key={path} type="button" className={classes.variable} onClick={() => insert(path)}>
              {path}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
