import { Combobox, Textarea, useCombobox, type TextareaProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useDirectory } from '../base/people.ts'
import { Avatar } from '../shell/avatar.tsx'
import classes from './mention-field.module.css'
import { matching, openMention, withMention, type Mentionable, type OpenMention } from './mentions.ts'
import { t } from '../base/texts.ts'

const offeredMax = 6

interface MentionFieldProps extends Omit<TextareaProps, 'onChange' | 'value'> {
  readonly value: string
  onText(text: string): void
  /** Reports a chosen person. The text may lose the name again; `mentionedIn` says who is left. */
  onMention(person: Mentionable): void
}

/** A text in which `@` offers the people of the workspace. */
export function MentionField({ value, onText, onMention, onKeyDown, ...props }: MentionFieldProps) {
  const people = useDirectory()
  const area = useRef<HTMLTextAreaElement>(null)
  const caretToSet = useRef<number | null>(null)
  const [open, setOpen] = useState<OpenMention | null>(null)
  // Together with the text, so that the next key finds the caret in its place.
  useLayoutEffect(() => {
    const caret = caretToSet.current
    if (caret === null) return
    caretToSet.current = null
    area.current?.focus()
    area.current?.setSelectionRange(caret, caret)
  })
  const offered = open === null ? [] : matching(people, open.typed).slice(0, offeredMax)
  const isOffering = offered.length > 0
  const combobox = useCombobox({ opened: isOffering, onDropdownClose: () => setOpen(null) })
  const look = ({ value: text, selectionStart }: HTMLTextAreaElement) => {
    setOpen(openMention(text, selectionStart))
    combobox.selectFirstOption()
  }
  const choose = (id: string) => {
    const person = offered.find((one) => one.id === id)
    if (person === undefined || open === null) return
    const { text, caret } = withMention(value, open, person.name)
    onText(text)
    onMention(person)
    setOpen(null)
    caretToSet.current = caret
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width={260}>
      <Combobox.EventsTarget withKeyboardNavigation={isOffering} withAriaAttributes={isOffering}>
        <Textarea
          {...props}
          ref={area}
          value={value}
          onChange={(event) => {
            onText(event.currentTarget.value)
            look(event.currentTarget)
          }}
          onClick={(event) => look(event.currentTarget)}
          onBlur={() => setOpen(null)}
          onKeyDown={(event) => {
            if (isOffering && event.key === 'Escape') {
              event.stopPropagation()
              setOpen(null)
            } else if (!isOffering || event.key !== 'Enter') onKeyDown?.(event)
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.DropdownTarget>
        <span />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={!isOffering}>
        <Combobox.Options aria-label={t('People')}>
          {offered.map(({ id, name }) => (
            <Combobox.Option key={id} value={id} className={classes.person}>
              <Avatar name={name} personId={id} size={22} />
              <span className={classes.name}>{name}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
