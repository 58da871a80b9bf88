import { Link } from '@tanstack/react-router'
import { inWords } from './field-words.ts'
import classes from './record-link.module.css'
import { addressOf, type RecordPlace } from './record-place.ts'
import { useRecordName } from './use-record-name.ts'

/** A link to a record of any kind, with the name of the kind as text. */
export function RecordLink({ record }: { readonly record: RecordPlace }) {
  return (
    <Link {...addressOf(record)} className={classes.link}>
      {inWords(record.entityType)}
    </Link>
  )
}

/** A link to a record of any kind by its own name, with the name of the kind beside it. */
export function NamedRecordLink({ record }: { readonly record: RecordPlace }) {
  const name = useRecordName(record.entityType, record.entityId)
  return (
    <>
      <Link {...addressOf(record)} className={classes.link}>
        <bdi>{name}</bdi>
      </Link>
      <span className={classes.kind}>{inWords(record.entityType)}</span>
    </>
  )
}
