import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { useRecordName } from './use-record-name.ts'

interface CompanyFieldProps {
  readonly name: string
  readonly label: string
  /** The company that is chosen at first. */
  readonly companyId: string | null
  /** A company that cannot be chosen. */
  readonly withoutId?: string
  readonly error?: string
}

/** Chooses a company by typing a part of its name. */
export function CompanyField({ name, label, companyId, withoutId, error }: CompanyFieldProps) {
  const { may } = useSession()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const present = useRecordName('COMPANY', companyId)
  const { data: found = [] } = useQuery({
    ...foundCompaniesQuery(search === present ? '' : search),
    enabled: may('VIEW_COMPANY'),
  })
  const options = new Map(found.filter(({ id }) => id !== withoutId).map((company) => [company.id, company.name]))
  if (companyId !== null) options.set(companyId, present ?? '…')
  return (
    <Select
      name={name}
      label={label}
      error={error}
      defaultValue={companyId}
      data={[...options].map(([value, title]) => ({ value, label: title }))}
      searchable
      clearable
      onSearchChange={setText}
      filter={({ options: all }) => all}
      nothingFoundMessage="No such company"
    />
  )
}

/** The first companies that a text finds. */
function foundCompaniesQuery(search: string) {
  return queryOptions({
    queryKey: ['companies', 'found', search],
    queryFn: async ({ signal }) =>
      (
        await crm.companies.list({
          query: { search: search || undefined, pageSize: 20, sortBy: 'name', sortOrder: 'asc' },
          signal,
        })
      ).items,
    placeholderData: keepPreviousData,
  })
}
