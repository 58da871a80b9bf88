import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../base/session.ts'
import { t } from '../base/texts.ts'
import { Age } from '../shell/age.tsx'
import type { AnyRecord } from './record-calls.ts'
import { lastEntry } from './record-queries.ts'

interface ChangedByOthersProps {
  readonly entityType: string
  readonly record: AnyRecord
}

/** Says who else changed the record since it was opened, and when; one's own change ends that. */
export function ChangedByOthers({ entityType, record }: ChangedByOthersProps) {
  const { person } = useSession()
  const [opened] = useState(record)
  const isChanged = record.version !== opened.version
  const { data: last } = useQuery({
    // Every version has one last change, so that nothing but another version asks again.
    queryKey: ['last change', entityType, record.id, record.version],
    queryFn: ({ signal }) => lastEntry({ entityType, entityId: record.id }, signal),
    enabled: isChanged,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isOther = last?.actor.type === 'EMPLOYEE' && last.actor.id !== person.id
  const shown = isChanged && isOther && isSince(last.occurredAt, opened) ? last : null
  return (
    // The place is there from the start, so that what appears in it is read out; an age that grows is not.
    <div aria-live="polite" aria-relevant="additions">
      {shown &&
        t.rich('{name} changed this <age>just now</age>', {
          name: shown.actor.name,
          age: () => <Age at={shown.occurredAt} />,
        })}
    </div>
  )
}

/** Some changes of a record, such as that of a count, have no entry in its history; the last one is then an older one. */
function isSince(instant: string, { updatedAt }: AnyRecord): boolean {
  return typeof updatedAt === 'string' && Date.parse(instant) >= Date.parse(updatedAt)
}
