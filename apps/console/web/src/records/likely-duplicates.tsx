import { contact } from '@crm/model'
import { VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { comparedFields } from '../base/contract.built.ts'
import { t } from '../base/texts.ts'
import { Icon } from '../shell/icons.tsx'
import type { Drafts } from './field-values.ts'
import { signsIn } from './form-drafts.ts'
import classes from './likely-duplicates.module.css'
import { distinctionOf, likelyQuery, titleOf, type Likely } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import { addressOf } from './record-place.ts'

const typingPauseMs = 300
const shownMax = 3

interface LikelyDuplicatesProps {
  readonly kind: Kind
  readonly drafts: Drafts
}

/**
 * Shows the records that a new one would duplicate, as far as they are known from what is typed. Their links open in a new
 * tab, so that nothing typed is lost.
 */
export function LikelyDuplicates({ kind, drafts }: LikelyDuplicatesProps) {
  const heading = useId()
  const typed = JSON.stringify(signsIn(kind, comparedFields[kind.key] ?? [], drafts))
  const [settled] = useDebouncedValue(typed, typingPauseMs)
  const isEmpty = typed === nothing || settled === nothing
  const { data: likely } = useQuery({ ...likelyQuery(kind.key, settled), enabled: !isEmpty })
  const shown = isEmpty || likely === undefined ? [] : linesOf(kind, likely).slice(0, shownMax)
  return (
    // The place is there from the start, so that what appears in it is read out.
    <div className={classes.place} aria-live="polite">
      {shown.length > 0 && (
        <section className={classes.likely} aria-labelledby={heading}>
          <h3 id={heading} className={classes.heading}>
            <Icon name="alert" size={16} />
            {t('This may already exist')}
          </h3>
          <ul className={classes.list}>
            {shown.map(({ entityType, entityId, title, note }) => (
              <li key={entityId}>
                <Link {...addressOf({ entityType, entityId })} target="_blank">
                  <bdi>{title}</bdi>
                  <VisuallyHidden> {t('(opens in a new tab)')}</VisuallyHidden>
                </Link>
                <span className={classes.note}>{note}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** A record that may be the one that is typed. */
interface Line {
  readonly entityType: string
  readonly entityId: string
  readonly title: string
  readonly note: string | null
}

/** Returns the records of a kind that look like the typed one, and the contacts that it may be. */
function linesOf(kind: Kind, { records, contacts }: Likely): readonly Line[] {
  return [
    ...records.map((record) => ({
      entityType: kind.key,
      entityId: record.id,
      title: titleOf(kind, record),
      note: distinctionOf(kind, record),
    })),
    ...contacts.map(({ id, name }) => ({
      entityType: contact.entity,
      entityId: id,
      title: name,
      note: t('Contact'),
    })),
  ]
}

const nothing = '{}'
