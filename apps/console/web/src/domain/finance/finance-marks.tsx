import { Pill } from '../../shell/pill.tsx'
import { statusWords, type FinanceRecord } from './finance-words.ts'
import { t } from '../../base/texts.ts'

/** The state of a document; an overdue invoice shows that it is overdue. */
export function StatusMark({
  record,
}: {
  readonly record: Pick<FinanceRecord, 'status'> & { readonly isOverdue?: boolean }
}) {
  const { name, tone } = statusWords[record.status]
  return record.isOverdue ? <Pill tone="red">{t('Overdue')}</Pill> : <Pill tone={tone}>{name}</Pill>
}
