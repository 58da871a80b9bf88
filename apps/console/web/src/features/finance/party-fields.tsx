import { foundRecordsQuery, titleOfKnown } from '../../records/record-calls.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import type { AddressDraft } from './document-draft.ts'
import { AddressInputs } from '../../shell/address-inputs.tsx'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'
import { inSentence } from '../../base/texts.ts'

interface PartyFieldProps {
  readonly entityType: string
  readonly label: string
  readonly id: string | null
  readonly error: string | undefined
  onChange(id: string | null): void
}

/** Chooses a company, a contact or a deal by a part of its name; absent for a person who may see none. */
export function PartyField({ entityType, label, id, error, onChange }: PartyFieldProps) {
  const { may } = useSession()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text, 250)
  const present = useRecordName(entityType, id)
  const search = typed === present ? '' : typed
  const { data } = useQuery({ ...foundRecordsQuery(entityType, search), enabled: may(`VIEW_${entityType}`) })
  const found = (data?.items ?? []).map((record) => ({ value: record.id, label: titleOfKnown(entityType, record) }))
  if (!may(`VIEW_${entityType}`) && id === null) return null
  const others = found.filter(({ value }) => value !== id)
  return (
    <TypedSelect
      label={label}
      value={id}
      onChange={onChange}
      error={error}
      data={id === null ? others : [{ value: id, label: present ?? '…' }, ...others]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('No {label}', { label: inSentence(label) }) }}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={t('Not found: {label}', { label: inSentence(label) })}
    />
  )
}

interface AddressFieldsProps {
  readonly address: AddressDraft
  readonly errors: Readonly<Record<string, string>>
  onChange(address: AddressDraft): void
}

/** The parts of a billing address. */
export function AddressFields({ address, errors, onChange }: AddressFieldsProps) {
  return (
    <AddressInputs
      propsOf={(part) => ({
        value: address[part],
        error: errors[`billingAddress.${part}`],
        onText: (text) => onChange({ ...address, [part]: text }),
      })}
    />
  )
}
