import classes from './nothing.module.css'

/** The mark for an empty value. */
export function Nothing() {
  return (
    <span className={classes.nothing}>
      <span aria-hidden="true">–</span>
      <span className={classes.spoken}>none</span>
    </span>
  )
}
