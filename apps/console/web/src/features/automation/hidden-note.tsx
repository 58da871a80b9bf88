import { t } from './texts.ts'

/** A note in place of data that the person may not see. */
export function HiddenNote() {
  return <p role="note">{t('Input and output are hidden: they contain a record that you do not have access to.')}</p>
}
