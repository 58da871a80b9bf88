import classes from './nothing.module.css'
import { t } from '../base/texts.ts'

/** The mark for an empty value. */
export function Nothing() {
  return (
    <span className={classes.nothing}>
      <span aria-hidden="true">–</span>
      <span className={classes.spoken}>{t('none')}</span>
    </span>
  )
}
