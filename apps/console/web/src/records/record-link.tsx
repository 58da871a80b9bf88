import { Link } from '@tanstack/react-router'
import { inWords } from './field-words.ts'
import classes from './record-link.module.css'
import { addressOf, type RecordPlace } from './record-place.ts'

/** A link to a record of any kind, with the name of the kind as text. */
export function RecordLink({ record }: { readonly record: RecordPlace }) {
  return (
    <Link {...addressOf(record)} className={classes.link}>
      {inWords(record.entityType)}
    </Link>
  )
}
