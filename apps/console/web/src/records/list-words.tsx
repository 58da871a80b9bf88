import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../shell/states.tsx'
import { inDigits, t } from '../base/texts.ts'
import { countOfKnown } from './kind-words.ts'

/** The words for a list of records. */
export interface ListWords {
  readonly title: string
  /** The kind of record, if every workspace has it. */
  readonly kind?: string
  readonly one: string
  readonly many: string
  /** The fields that the search covers. */
  readonly searched: string
  /** The origin of the records, for a workspace without any. */
  readonly origin: string
}

/** Returns how many records a list has; a space, which keeps its line, until that is known. */
export function countInWords(
  total: number | undefined,
  { kind = '', one, many }: ListWords,
  isNarrowed: boolean,
): string {
  if (total === undefined) return ' '
  const records = countOfKnown(kind, total) ?? `${inDigits(total)} ${total === 1 ? one : many}`
  return isNarrowed ? t('records.recordsFound', { records }) : records
}

interface NoRecordsProps {
  readonly words: ListWords
  readonly total: number
  readonly isNarrowed: boolean
  /** The ways to the first records. */
  readonly ways: ReactNode
  onClear(): void
  onFirstPage(): void
}

/** Says why a list shows nothing, and leads on: a page behind the end, filters that find nothing, or no records yet. */
export function NoRecords({ words, total, isNarrowed, ways, onClear, onFirstPage }: NoRecordsProps) {
  if (total > 0)
    return (
      <EmptyState
        title={t('records.thisPageIsEmpty')}
        action={
          <Button variant="default" onClick={onFirstPage}>
            {t('records.goToTheFirstPage')}
          </Button>
        }
      />
    )
  if (!isNarrowed)
    return (
      <EmptyState title={t('records.noManyYet', { many: words.many })} action={ways}>
        {words.origin}
      </EmptyState>
    )
  return (
    <EmptyState
      title={t('records.noManyMatch', { many: words.many })}
      action={
        <Button variant="default" onClick={onClear}>
          {t('records.clearFilters')}
        </Button>
      }
    >
      {t('records.changeOrClearTheFilters')}
    </EmptyState>
  )
}
