import { kindOf } from '@crm/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Age, Moment } from '../../shell/age.tsx'
import { PersonName } from '../../shell/person-name.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import { Pill, type Tone } from '../../shell/pill.tsx'
import { FieldValue, hasValue } from '../field-value.tsx'
import { valueOf } from '../field-values.ts'
import { ForCell } from '../for-records.tsx'
import { titleOf, type AnyRecord } from '../record-calls.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { addressOf } from '../record-place.ts'
import { textOfValue } from '../value-words.ts'
import { ages, type GridColumn } from './columns.ts'
import classes from './grid.module.css'
import { t } from '../../base/texts.ts'

const tones: Readonly<Record<string, Tone>> = {
  NEW: 'blue',
  OPEN: 'blue',
  IN_PROGRESS: 'teal',
  ACTIVE: 'green',
  QUALIFIED: 'green',
  CONVERTED: 'green',
  WON: 'green',
  DONE: 'green',
  PAID: 'green',
  ACCEPTED: 'green',
  COMPLETED: 'green',
  LOST: 'red',
  OVERDUE: 'red',
  HOT: 'red',
  URGENT: 'red',
  WARM: 'amber',
  HIGH: 'amber',
  ON_HOLD: 'amber',
  COLD: 'blue',
  SENT: 'blue',
  ISSUED: 'blue',
  CONFIRMED: 'blue',
  FULFILLED: 'green',
  PARTIALLY_PAID: 'amber',
  IN_REVIEW: 'amber',
  EXPIRED: 'amber',
  DECLINED: 'red',
  UNCOLLECTIBLE: 'red',
  VOID: 'red',
}

interface CellValueProps {
  readonly column: GridColumn
  readonly kind: Kind
  readonly record: AnyRecord
}

/** The value of a cell, on one line. */
export function CellValue({ column: { field, isTitle }, kind, record }: CellValueProps): ReactNode {
  if (isTitle) return <TitleLink kind={kind} record={record} />
  if (field?.key === 'links') return <ForCell links={record['links']} />
  if (field === undefined || !hasValue(record, field)) return <Nothing />
  const value = valueOf(record, field)
  if (field.references === 'STAGE') return <StageName kind={kind} id={String(value)} />
  const named = field.type === 'REFERENCE' ? expandedName(record, field) : undefined
  if (field.type === 'REFERENCE' && named !== undefined)
    return <ReferenceName field={field} id={String(value)} name={named} />
  if (field.key === 'status' && record['isOverdue'] === true) return <Pill tone="red">{t('Overdue')}</Pill>
  if (field.type === 'SELECT')
    return <Pill tone={tones[String(value)] ?? 'neutral'}>{textOfValue(field, value, record)}</Pill>
  if (ages.includes(field.key)) return <Age at={String(value)} />
  return (
    <bdi data-late={isLate(field, record)}>
      {field.type === 'DATETIME' ? (
        <Moment at={String(value)} />
      ) : (
        <FieldValue field={field} kind={kind} record={record} />
      )}
    </bdi>
  )
}

const closed: readonly string[] = ['DONE', 'CANCELLED', 'PAID', 'VOID', 'UNCOLLECTIBLE', 'DRAFT', 'FULFILLED']

/** Whether a record that is still to be done was due by now. */
function isLate({ key }: Field, record: AnyRecord): boolean {
  if ('isOverdue' in record) return key === 'dueDate' && record['isOverdue'] === true
  const isOpen = typeof record['status'] === 'string' && !closed.includes(record['status'])
  return key === 'dueAt' && isOpen && Date.parse(String(record[key])) < Date.now()
}

/** Returns the name that the list brought along for an id; null where this person may not see it. */
function expandedName(record: AnyRecord, { key }: Field): string | null | undefined {
  const name = key.replace(/Id$/, '')
  if (name === key || !(name in record)) return undefined
  return (record[name] as { readonly name: string } | null)?.name ?? null
}

function ReferenceName({
  field,
  id,
  name,
}: {
  readonly field: Field
  readonly id: string
  readonly name: string | null
}) {
  if (name === null) return <Nothing />
  if (field.references === 'EMPLOYEE') return <PersonName id={id} name={name} />
  const isPage = kindOf(field.references ?? '') !== undefined
  if (!isPage) return <bdi>{name}</bdi>
  return (
    <Link {...addressOf({ entityType: field.references ?? '', entityId: id })} className={classes.reference}>
      <bdi>{name}</bdi>
    </Link>
  )
}

/** A stage by its name, with a dot in its colour. */
export function StageName({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const stage = kind.pipelines.flatMap(({ stages }) => stages).find((one) => one.id === id)
  if (stage === undefined) return <Nothing />
  return (
    <span className={classes.stage}>
      <span className={classes.stageDot} style={{ background: stage.color ?? undefined }} aria-hidden="true" />
      <bdi>{stage.name}</bdi>
    </span>
  )
}

function TitleLink({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const title = titleOf(kind, record)
  return (
    <Link {...addressOf({ entityType: kind.key, entityId: record.id })} className={classes.title} title={title}>
      <bdi>{title}</bdi>
    </Link>
  )
}
