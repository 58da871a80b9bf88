import { Link } from '@tanstack/react-router'
import { inWords } from './field-words.ts'
import classes from './record-link.module.css'
import { addressOf, type RecordPlace } from './record-place.ts'

/** The way to a record of any kind, by the name of the kind. */
export function RecordLink({ record }: { readonly record: RecordPlace }) {
  return (
    <Link {...addressOf(record)} className={classes.link}>
      {inWords(record.entityType)}
    </Link>
  )
}
