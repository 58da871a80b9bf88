import classes from './count-badge.module.css'

interface CountBadgeProps {
  readonly count: number
  /** Whether it moves to the corner on a phone, where the word is an icon. */
  readonly isCorner?: boolean
}

/** How many there are, beside a word that says it already; nothing for none. */
export function CountBadge({ count, isCorner = false }: CountBadgeProps) {
  if (count === 0) return null
  return (
    <span className={classes.badge} data-corner={isCorner} aria-hidden="true">
      {count}
    </span>
  )
}
