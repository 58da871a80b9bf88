import { useQuery } from '@tanstack/react-query'
import { useLoaderData, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UsualNextStep, usualTabs } from '../../domain/kinds/usual-parts.tsx'
import { KeyFacts } from '../../records/key-facts.tsx'
import { useWordsOf } from '../../records/kind-names.ts'
import type { PageParts, RecordPageOf } from '../../records/kind-pages.ts'
import { addressOfList } from '../../records/list-place.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { recordQuery, titleOf, titleOfKnown, type AnyRecord } from '../../records/record-calls.ts'
import { useKind } from '../../records/record-kinds.ts'
import { RecordPage, WithRecord } from '../../records/record-page.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { listOf } from '../../records/record-place.ts'
import { Related } from '../../records/related.tsx'
import { WithKind } from './known-kind.tsx'
import { useStemPath } from './stem-path.ts'
import { capitalized } from '../../base/texts.ts'

/** A record of any kind: its facts, its comments and its history, and what is special about its kind. */
export function KindRecordPage() {
  const { id = '' } = useParams({ strict: false })
  const special: RecordPageOf | undefined = useLoaderData({ strict: false })
  return (
    <WithKind path={useStemPath()}>
      {(entityType) => {
        if (special && 'Page' in special) return <special.Page key={id} id={id} />
        return <OneRecord key={id} entityType={entityType} id={id} partsOf={special?.partsOf ?? noParts} />
      }}
    </WithKind>
  )
}

type PartsOf = (record: AnyRecord, place: { readonly entityType: string; readonly entityId: string }) => PageParts
const noParts: PartsOf = () => ({})

interface OneRecordProps {
  readonly entityType: string
  readonly id: string
  readonly partsOf: PartsOf
}

function OneRecord({ entityType, id, partsOf }: OneRecordProps) {
  const reading = useQuery(recordQuery(entityType, id))
  const { title, one } = useWordsOf(entityType)
  const back = (
    <BackLink to={listOf(entityType)} search={addressOfList(entityType)}>
      {title}
    </BackLink>
  )
  return (
    <WithRecord noun={one} back={back} reading={reading}>
      {(record) => <KnownRecord entityType={entityType} record={record} back={back} partsOf={partsOf} />}
    </WithRecord>
  )
}

interface KnownRecordProps {
  readonly entityType: string
  readonly record: AnyRecord
  readonly back: ReactNode
  readonly partsOf: PartsOf
}

function KnownRecord({ entityType, record, back, partsOf }: KnownRecordProps) {
  const navigate = useNavigate()
  const kind = useKind(entityType)
  const { one } = useWordsOf(entityType)
  const place = { entityType, entityId: record.id }
  const parts: PageParts = {
    note: kind?.isCustom ? one : capitalized(one),
    tabs: usualTabs(place, record),
    aside: <Related place={place} record={record} />,
    ...partsOf(record, place),
  }
  return (
    <RecordPage
      record={place}
      title={kind ? titleOf(kind, record) : titleOfKnown(entityType, record)}
      note={parts.note}
      back={back}
      actions={
        <RecordActions
          record={place}
          leave={() => navigate({ to: listOf(entityType), search: addressOfList(entityType) })}
        >
          {parts.actions}
        </RecordActions>
      }
      top={parts.top}
      facts={<KeyFacts entityType={entityType} record={record} />}
      main={parts.main}
      tabs={parts.tabs}
      next={parts.next === false ? undefined : <UsualNextStep place={place} record={record} />}
      aside={parts.aside}
      isCommented={parts.isCommented}
    />
  )
}
