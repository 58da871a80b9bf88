import classes from './nothing.module.css'

/** Stands where a record has nothing. */
export function Nothing() {
  return (
    <span className={classes.nothing}>
      <span aria-hidden="true">–</span>
      <span className={classes.spoken}>none</span>
    </span>
  )
}
