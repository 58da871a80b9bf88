import { leadStatuses, temperatures } from '@crm/contract'
import { NativeSelect } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { inWords } from '../../records/field-words.ts'
import classes from '../../records/list-filters.module.css'
import { SearchField } from '../../records/search-field.tsx'
import { readLeadSearch, type LeadSearch } from './lead-search.ts'

interface LeadFiltersProps {
  readonly search: LeadSearch
  readonly searchBox: RefObject<HTMLInputElement | null>
  /** With `replace` the change makes no step to go back to. */
  onChange(change: LeadSearch, replace: boolean): void
  readonly children?: ReactNode
}

/** What narrows the list. */
export function LeadFilters({ search, searchBox, onChange, children }: LeadFiltersProps) {
  const choose = (name: 'status' | 'temperature', value: string) => onChange({ [name]: readLeadSearch({ [name]: value })[name] }, false)
  return (
    <search className={classes.filters}>
      <SearchField label="Search leads" placeholder="Name, company, e-mail or phone" value={search.search ?? ''} searchBox={searchBox} onSearch={(text) => onChange({ search: text }, true)} />
      <NativeSelect
        aria-label="Status"
        value={search.status ?? ''}
        onChange={(event) => choose('status', event.currentTarget.value)}
        data={[{ value: '', label: 'Any status' }, ...leadStatuses.map((value) => ({ value, label: inWords(value) }))]}
      />
      <NativeSelect
        aria-label="Temperature"
        value={search.temperature ?? ''}
        onChange={(event) => choose('temperature', event.currentTarget.value)}
        data={[{ value: '', label: 'Any temperature' }, ...temperatures.map((value) => ({ value, label: inWords(value) }))]}
      />
      {children}
    </search>
  )
}
