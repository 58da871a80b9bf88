import type { ResultContext } from '@crm/contract'
import { describeDay } from '../base/moments.ts'
import { describeMoney } from '../records/money.ts'
import type { Kind } from '../records/record-kinds.ts'

/** Returns what a line says of a search hit, and the state that must be known before it is opened. */
export function hitInWords(
  context: ResultContext,
  kind: Pick<Kind, 'fields' | 'pipelines'> | undefined,
): { readonly line: string | undefined; readonly mark: string | undefined } {
  const { company, jobTitle, email, phone, domain, status, stageId, amount, currency, dueAt } = context
  const stage = kind?.pipelines.flatMap(({ stages }) => stages).find(({ id }) => id === stageId)?.name
  const statuses = kind?.fields.find(({ key }) => key === 'status')?.options
  const statusName = statuses?.find(({ value }) => value === status)?.label
  const isConverted = status === 'CONVERTED'
  const parts = [
    company,
    isConverted ? undefined : (stage ?? statusName),
    amount !== undefined && currency !== undefined ? describeMoney(amount, currency) : undefined,
    dueAt === undefined ? undefined : describeDay(dueAt),
    jobTitle,
    email ?? domain ?? phone,
  ].filter((part) => part !== undefined && part !== '')
  return { line: parts.length === 0 ? undefined : parts.join(' · '), mark: isConverted ? statusName : undefined }
}
