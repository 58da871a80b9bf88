import classes from './count-badge.module.css'

/** How many there are, beside a word that says it already; nothing for none. */
export function CountBadge({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <span className={classes.badge} aria-hidden="true">
      {count}
    </span>
  )
}
