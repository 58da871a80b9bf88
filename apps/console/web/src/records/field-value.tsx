import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { Pill } from '../shell/pill.tsx'
import classes from './field-value.module.css'
import { valueOf } from './field-values.ts'
import type { AnyRecord } from './record-calls.ts'
import { useKinds, type Field, type Kind } from './record-kinds.ts'
import { addressOf } from './record-place.ts'
import { useReferenceNames } from './use-reference-names.ts'
import { describeValue, textOfValue } from './value-words.ts'
import { Website } from './website.tsx'
import { LinkedText } from '../shell/linked-text.tsx'

interface FieldValueProps {
  readonly field: Field
  readonly kind: Kind
  readonly record: AnyRecord
}

/** Whether a record has a value of a field. */
export function hasValue(record: AnyRecord, field: Field): boolean {
  return describeValue(valueOf(record, field)) !== null
}

/** Shows the value of a field, with a link if it leads somewhere; null without one. */
export function FieldValue({ field, kind, record }: FieldValueProps): ReactNode {
  const value = valueOf(record, field)
  if (!hasValue(record, field)) return null
  if (field.type === 'REFERENCE' || field.type === 'REFERENCE_LIST')
    return <References field={field} kind={kind} ids={Array.isArray(value) ? value.map(String) : [String(value)]} />
  if (field.type === 'EMAIL') return <Anchor href={`mailto:${String(value)}`}>{withBreaks(String(value))}</Anchor>
  if (field.type === 'PHONE') return <Anchor href={`tel:${String(value)}`}>{String(value)}</Anchor>
  if (field.key === 'website') return <Website address={String(value)} />
  if (field.type === 'TAGS')
    return (
      <span className={classes.tags}>
        {(value as readonly string[]).map((tag) => (
          <Pill key={tag} tone="neutral">
            {tag}
          </Pill>
        ))}
      </span>
    )
  return (
    <span className={field.type === 'LONG_TEXT' ? classes.long : undefined}>
      <LinkedText text={textOfValue(field, value, record)} />
    </span>
  )
}

/** An address that goes over to the next line at a sign where people expect it, and not in the middle of a name. */
function withBreaks(address: string): ReactNode {
  return address.split(/(?=[@.])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

function References({
  field,
  kind,
  ids,
}: {
  readonly field: Field
  readonly kind: Kind
  readonly ids: readonly string[]
}) {
  const names = useReferenceNames(field, kind, ids)
  const isKind = useKinds().some(({ key }) => key === field.references)
  const isPerson = field.references === 'EMPLOYEE'
  return ids.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      {(isKind || isPerson) && names.has(id) ? (
        <Link {...addressOf({ entityType: field.references ?? '', entityId: id })}>{names.get(id)}</Link>
      ) : (
        (names.get(id) ?? '…')
      )}
    </Fragment>
  ))
}
