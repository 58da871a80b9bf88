import { Button } from '@mantine/core'
import { EmptyState } from '../shell/states.tsx'

/** The words for a list of records. */
export interface ListWords {
  readonly title: string
  readonly one: string
  readonly many: string
  /** The fields that the search covers. */
  readonly searched: string
  /** The origin of the records, for a workspace without any. */
  readonly origin: string
}

/** Returns how many records a list has; a space, which keeps its line, until that is known. */
export function countInWords(total: number | undefined, { one, many }: ListWords, isNarrowed: boolean): string {
  if (total === undefined) return ' '
  const records = `${total.toLocaleString('en')} ${total === 1 ? one : many}`
  return isNarrowed ? `${records} found` : records
}

interface NoRecordsProps {
  readonly words: ListWords
  readonly total: number
  readonly isNarrowed: boolean
  onClear(): void
  onFirstPage(): void
}

/** Says why a list shows nothing, and leads on: a page behind the end, filters that find nothing, or no records yet. */
export function NoRecords({ words, total, isNarrowed, onClear, onFirstPage }: NoRecordsProps) {
  if (total > 0)
    return (
      <EmptyState
        title="This page is empty"
        action={
          <Button variant="default" onClick={onFirstPage}>
            Go to the first page
          </Button>
        }
      />
    )
  if (!isNarrowed) return <EmptyState title={`No ${words.many} yet`}>{words.origin}</EmptyState>
  return (
    <EmptyState
      title={`No ${words.many} match`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Change or clear the filters.
    </EmptyState>
  )
}
