import { useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { useWordsOf } from '../../records/kind-names.ts'
import type { ListParts } from '../../records/kind-pages.ts'
import type { ListAddress } from '../../records/list/list-address.ts'
import { WorkList } from '../../records/list/work-list.tsx'
import { WithKind } from './known-kind.tsx'
import { useStemPath } from './stem-path.ts'

/** The records of a kind. */
export function KindListPage() {
  const parts: ListParts | undefined = useLoaderData({ strict: false })
  return (
    <WithKind path={useStemPath()}>
      {(entityType) => <Records key={entityType} entityType={entityType} parts={parts ?? {}} />}
    </WithKind>
  )
}

function Records({ entityType, parts }: { readonly entityType: string; readonly parts: ListParts }) {
  const { creating, Above, Lead } = parts
  const search: ListAddress = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <WorkList
      entityType={entityType}
      words={useWordsOf(entityType)}
      address={search}
      creating={creating}
      above={Above && <Above address={search} />}
      lead={Lead && ((record) => <Lead record={record} />)}
      onGo={(next, how) => void navigate({ to: '.', search: next, ...how })}
    />
  )
}
