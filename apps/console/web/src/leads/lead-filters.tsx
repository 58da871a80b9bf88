import { leadStatuses, temperatures } from '@crm/contract'
import { CloseButton, Kbd, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState, type RefObject } from 'react'
import { Icon } from '../shell/icons.tsx'
import classes from './lead-filters.module.css'
import { readLeadSearch, type LeadSearch } from './lead-search.ts'
import { statusNames, temperatureNames } from './lead-words.ts'

const typingPauseMs = 250

interface LeadFiltersProps {
  readonly search: LeadSearch
  readonly searchBox: RefObject<HTMLInputElement | null>
  /** With `replace` the change makes no step to go back to. */
  onChange(change: LeadSearch, replace: boolean): void
}

/** What narrows the list. */
export function LeadFilters({ search, searchBox, onChange }: LeadFiltersProps) {
  const choose = (name: 'status' | 'temperature', value: string) => onChange({ [name]: readLeadSearch({ [name]: value })[name] }, false)
  return (
    <search className={classes.filters}>
      <SearchField value={search.search ?? ''} searchBox={searchBox} onSearch={(text) => onChange({ search: text }, true)} />
      <NativeSelect
        aria-label="Status"
        value={search.status ?? ''}
        onChange={(event) => choose('status', event.currentTarget.value)}
        data={[{ value: '', label: 'Any status' }, ...leadStatuses.map((value) => ({ value, label: statusNames[value] }))]}
      />
      <NativeSelect
        aria-label="Temperature"
        value={search.temperature ?? ''}
        onChange={(event) => choose('temperature', event.currentTarget.value)}
        data={[{ value: '', label: 'Any temperature' }, ...temperatures.map((value) => ({ value, label: temperatureNames[value] }))]}
      />
    </search>
  )
}

interface SearchFieldProps {
  readonly value: string
  readonly searchBox: RefObject<HTMLInputElement | null>
  onSearch(text: string): void
}

function SearchField({ value, searchBox, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const searchSoon = useDebouncedCallback(onSearch, typingPauseMs)
  // The address also changes by going back; while somebody types, what they typed counts.
  useEffect(() => {
    if (document.activeElement !== searchBox.current || value === '') setText((shown) => (shown.trim() === value ? shown : value))
  }, [value, searchBox])
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
      aria-label="Search leads"
      aria-keyshortcuts="/"
      placeholder="Name, company, e-mail or phone"
      leftSection={<Icon name="search" size={16} />}
      rightSection={text === '' ? <Kbd size="xs" aria-hidden="true" className={classes.shortcut}>/</Kbd> : <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && clear()}
    />
  )
}
