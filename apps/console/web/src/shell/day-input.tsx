import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '../base/texts.ts'
import { dayShown, dayTyped, momentShown, momentTyped } from '../base/typed-days.ts'
import classes from './day-input.module.css'
import { Icon } from './icons.tsx'

interface DayInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> {
  /** The day as `YYYY-MM-DD`, with a time as `YYYY-MM-DDTHH:mm`, or what was typed instead; without it, the input keeps its own. */
  readonly value?: string | undefined
  readonly defaultValue?: string | undefined
  /** The time of a day that is typed without one; without it, the input is for days alone. */
  readonly usualTime?: string | undefined
  /** Gets the day in that form, or the text where it is none. */
  onChange?(day: string): void
}

/** An input for days as the reader writes them, in words too: `31.12.2026`, `tomorrow 9`; a calendar opens beside it. */
export function DayInput({ value, defaultValue = '', usualTime, name, onChange, ...input }: DayInputProps) {
  const read = (text: string) => (usualTime === undefined ? dayTyped(text) : momentTyped(text, usualTime))
  const show = usualTime === undefined ? dayShown : momentShown
  const [typed, setTyped] = useState(() => show(value ?? defaultValue))
  const picker = useRef<HTMLInputElement>(null)
  const shown = value === undefined || read(typed) === value ? typed : show(value)
  const current = read(shown)
  const take = (text: string) => {
    setTyped(text)
    onChange?.(read(text))
  }
  return (
    <>
      <TextInput
        autoComplete="off"
        {...input}
        value={shown}
        onChange={({ currentTarget }) => take(currentTarget.value)}
        onBlur={(event) => {
          // What was understood is shown as it will be kept.
          if (current !== '') setTyped(show(current))
          input.onBlur?.(event)
        }}
        rightSectionWidth={34}
        rightSection={
          input.disabled === true || input.readOnly === true ? undefined : (
            <span className={classes.calendar}>
              <ActionIcon
                size={26}
                tabIndex={-1}
                aria-label={t('Open the calendar')}
                onClick={() => picker.current?.showPicker()}
              >
                <Icon name="calendar" size={16} />
              </ActionIcon>
              <input
                ref={picker}
                type={usualTime === undefined ? 'date' : 'datetime-local'}
                className={classes.picker}
                tabIndex={-1}
                aria-hidden="true"
                value={current === show(current) ? '' : current}
                onChange={({ currentTarget }) => take(show(currentTarget.value))}
              />
            </span>
          )
        }
      />
      {name !== undefined && <input type="hidden" name={name} value={current} />}
    </>
  )
}
