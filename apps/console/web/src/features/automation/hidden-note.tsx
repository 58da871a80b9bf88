import { t } from '../../base/texts.ts'

/** A note in place of data that the person may not see. */
export function HiddenNote() {
  return <p role="note">{t('automation.whatWentInAndCame')}</p>
}
