import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../shell/icons.tsx'
import { usePhone } from '../shell/use-phone.ts'
import classes from './list-filters.module.css'
import { usePageCommand } from './page-commands.ts'
import { t } from '../base/texts.ts'

const typingPauseMs = 250

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  onSearch(text: string): void
}

/** Searches a list while a person types; the key / focuses it. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  // A phone has no room for what is searched.
  const shown = usePhone() ? t('Search') : placeholder
  const searchBox = useRef<HTMLInputElement>(null)
  usePageCommand('search', () => searchBox.current?.focus())
  const [text, setText] = useState(value)
  const searchSoon = useDebouncedCallback(onSearch, typingPauseMs)
  // The address also changes by going back; the typed text has priority while a person types.
  useEffect(() => {
    if (document.activeElement !== searchBox.current || value === '')
      setText((shown) => (shown.trim() === value ? shown : value))
  }, [value])
  const change = (next: string) => {
    setText(next)
    searchSoon(next)
  }
  const clear = () => {
    setText('')
    onSearch('')
    searchBox.current?.focus()
  }
  return (
    <TextInput
      ref={searchBox}
      className={classes.search}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={shown}
      leftSection={<Icon name="search" size={16} />}
      rightSectionWidth={text === '' ? 'var(--search-key)' : undefined}
      rightSection={
        text === '' ? (
          <Kbd size="xs" aria-hidden="true" className={classes.shortcut}>
            /
          </Kbd>
        ) : (
          <CloseButton size="sm" aria-label={t('Clear the search')} onClick={clear} />
        )
      }
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && clear()}
    />
  )
}
