import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { beside } from '../base/api.ts'
import { capitalized, inDigits, named, t } from '../base/texts.ts'
import { Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { FieldValue, hasValue } from './field-value.tsx'
import { valueOf } from './field-values.ts'
import { StageName } from './list/cell-value.tsx'
import { summaryQuery } from './list/list-queries.ts'
import { sumInWords } from './list/totals.tsx'
import { describeMoney } from './money.ts'
import { RecordForm } from './later-record-form.ts'
import { anyRecordQuery, callsOf, firstRecords, titleOf, type AnyRecord } from './record-calls.ts'
import { useKinds, type Kind } from './record-kinds.ts'
import { addressOf, collectionOf, listOf, writingPageOf, type RecordPlace } from './record-place.ts'
import classes from './related.module.css'
import { narrowingTo, relationsOf, rowFieldsOf, type Relation } from './relations.ts'

interface RelatedProps {
  readonly place: RecordPlace
  readonly record: AnyRecord
  /** The kinds that the page shows elsewhere. */
  readonly without?: readonly string[]
}

/** The records that are related to a record, kind by kind, as far as the person sees them. */
export function Related({ place, record, without = [] }: RelatedProps) {
  const kinds = useKinds()
  const own = kinds.find(({ key }) => key === place.entityType)
  const parts = (own ? relationsOf(own.key, own.isCustom) : []).flatMap((relation): ReactNode[] => {
    const kind = kinds.find(({ key }) => key === relation.kind)
    if (own === undefined || kind === undefined || without.includes(kind.key)) return []
    if ('by' in relation)
      return [<RelatedList key={`${kind.key} ${relation.by}`} kind={kind} relation={relation} place={place} />]
    const id = record[relation.in]
    const label = own.fields.find(({ key }) => key === relation.in)?.label ?? capitalized(kind.noun)
    return typeof id === 'string' ? [<RelatedOne key={relation.in} kind={kind} id={id} label={label} />] : []
  })
  if (parts.length === 0) return null
  return <Panel title={t('Related')}>{parts}</Panel>
}

interface PartProps {
  readonly label: string
  readonly figures?: string | undefined
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** The related records of one kind. */
function Part({ label, figures, actions, children }: PartProps) {
  return (
    <section className={classes.part} aria-label={label}>
      <div className={classes.head}>
        <h3 className={classes.label}>
          {label}
          {figures !== undefined && <span className={classes.figures}>{figures}</span>}
        </h3>
        {actions}
      </div>
      {children}
    </section>
  )
}

const shownMax = 5

interface RelatedListProps {
  readonly kind: Kind
  readonly relation: Extract<Relation, { readonly by: string }>
  readonly place: RecordPlace
}

function RelatedList({ kind, relation: { by }, place }: RelatedListProps) {
  const narrowing = narrowingTo(by, place)
  const { amount } = rowFieldsOf(kind.key)
  const { data, error, refetch } = useQuery({
    queryKey: [collectionOf(kind.key), 'related', narrowing],
    queryFn: ({ signal }) =>
      callsOf(kind.key, beside.crm).list({ ...narrowing, ...firstRecords(kind.key, shownMax) }, signal),
  })
  const total = data?.total ?? 0
  const sums = useQuery({
    ...summaryQuery(kind.key, { ...narrowing, measures: `sum:${amount}` }, beside.crm),
    enabled: amount !== undefined && total > 1,
  }).data
  // Those below a company are companies too, so that the noun alone would not tell them apart.
  const label = by === 'parentId' ? t('Companies below') : capitalized(kind.plural)
  const sum = sums && amount !== undefined ? sumInWords(sums.totals, amount) : undefined
  const add = kind.may.create && by !== 'link' && <Add kind={kind} label={label} initial={narrowing} />
  if (data !== undefined && total === 0 && !add) return null
  return (
    <Part
      label={label}
      figures={total > 0 ? [inDigits(total), sum].filter(Boolean).join(' · ') : undefined}
      actions={add}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && (
        <LoadingLines lines={2} label={t('Loading {many}', { many: kind.plural })} />
      )}
      {total > 0 && (
        <ul className={classes.rows} aria-label={label}>
          {data?.items.map((record) => (
            <Row key={record.id} kind={kind} record={record} />
          ))}
        </ul>
      )}
      {total > shownMax && by !== 'link' && (
        <Link to={listOf(kind.key)} search={{ view: 'all', ...narrowing } as never} className={classes.all}>
          {t('See all')}
          <span className={classes.spoken}> {label}</span>
        </Link>
      )}
    </Part>
  )
}

function RelatedOne({ kind, id, label }: { readonly kind: Kind; readonly id: string; readonly label: string }) {
  const { data } = useQuery(anyRecordQuery(kind.key, id))
  // A record that the person may not see is named nowhere.
  if (data === undefined) return null
  return (
    <Part label={label}>
      <ul className={classes.rows} aria-label={label}>
        <Row kind={kind} record={data} />
      </ul>
    </Part>
  )
}

interface AddProps {
  readonly kind: Kind
  readonly label: string
  /** The link to the record of the page. */
  readonly initial: Readonly<Record<string, string>>
}

/** Makes a related record, linked from the start. */
function Add({ kind, label, initial }: AddProps) {
  const [isOpen, setOpen] = useState(false)
  const page = writingPageOf(kind.key)
  const words = (
    <>
      {t('Add')}
      <span className={classes.spoken}> {label}</span>
    </>
  )
  if (page !== undefined)
    return (
      <Button
        renderRoot={(props) => <Link to={page} search={initial as never} {...props} />}
        variant="subtle"
        size="compact-xs"
        title={t('New {noun}', named(kind.noun))}
      >
        {words}
      </Button>
    )
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        title={t('New {noun}', named(kind.noun))}
        onClick={() => setOpen(true)}
      >
        {words}
      </Button>
      {isOpen && (
        <RecordForm
          entityType={kind.key}
          opened
          initial={initial}
          // The page of the record stays, where the new one appears.
          onCreated={() => undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function Row({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const { amount, note } = rowFieldsOf(kind.key)
  const field = kind.fields.find(({ key }) => key === note)
  const money = amount === undefined ? undefined : record[amount]
  const { currency } = record
  return (
    <li className={classes.row}>
      <Link {...addressOf({ entityType: kind.key, entityId: record.id })} className={classes.title}>
        <bdi>{titleOf(kind, record)}</bdi>
      </Link>
      {typeof money === 'string' && (
        <span className={classes.amount}>{describeMoney(money, typeof currency === 'string' ? currency : null)}</span>
      )}
      {field && hasValue(record, field) && (
        <span className={classes.note}>
          {field.references === 'STAGE' ? (
            <StageName kind={kind} id={String(valueOf(record, field))} />
          ) : (
            <FieldValue field={field} kind={kind} record={record} />
          )}
        </span>
      )}
    </li>
  )
}
