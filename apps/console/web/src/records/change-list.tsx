import { t } from '../base/texts.ts'
import classes from './timeline.module.css'
import type { ChangeInWords } from './timeline-words.ts'

/** Lists what changes, with the value before and the one after. */
export function ChangeList({ changes }: { readonly changes: readonly ChangeInWords[] }) {
  if (changes.length === 0) return null
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, name, from, to }) => (
        <li key={field}>
          <span className={classes.field}>{name}</span>{' '}
          {typeof from === 'string' && (
            <>
              <del aria-label={t('was {from}', { from })}>{from}</del>{' '}
            </>
          )}
          {to !== undefined && (
            <>
              <span aria-hidden="true">→</span>{' '}
              <ins aria-label={t('is {to}', { to: to ?? t('empty') })}>{to ?? t('empty')}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
