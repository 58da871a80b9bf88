import { levelFor, type AccessLevel } from '@crm/permissions'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../shell/states.tsx'
import { useSession } from '../base/session.ts'
import { inDigits, inList, t } from '../base/texts.ts'
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
  return isNarrowed ? t('{records} found', { records }) : records
}

interface NoRecordsProps {
  readonly words: ListWords
  readonly total: number
  readonly isNarrowed: boolean
  readonly entityType: string
  /** The ways to the first records. */
  readonly ways: ReactNode
  onClear(): void
  onFirstPage(): void
}

/** Says why a list shows nothing, and leads on: a page behind the end, filters that find nothing, or no records yet. */
export function NoRecords({ words, total, isNarrowed, entityType, ways, onClear, onFirstPage }: NoRecordsProps) {
  const level = levelFor(useSession().scopes.levels, entityType, 'VIEW')
  const isLimited = level !== 'ALL'
  if (total > 0)
    return (
      <EmptyState
        title={t('This page is empty')}
        action={
          <Button variant="default" onClick={onFirstPage}>
            {t('Go to the first page')}
          </Button>
        }
      />
    )
  if (!isNarrowed && isLimited)
    return (
      <EmptyState title={t('No {many} that you can see', { many: words.many })} action={ways}>
        <LimitedSight level={level} many={words.many} />
      </EmptyState>
    )
  if (!isNarrowed)
    return (
      <EmptyState title={t('No {many} yet', { many: words.many })} action={ways}>
        {words.origin}
      </EmptyState>
    )
  return (
    <EmptyState
      title={t('No {many} match', { many: words.many })}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('Change or clear the filters.')}
    </EmptyState>
  )
}

/** Says that there may be records which the person's role does not show, and whom to ask. */
function LimitedSight({ level, many }: { readonly level: AccessLevel; readonly many: string }) {
  const { person, scopes } = useSession()
  const others = scopes.administrators.filter(({ id }) => id !== person.id).map(({ name }) => name)
  const why =
    level === 'OWN'
      ? t('Your role shows only your own {many}. There may be others.', { many })
      : person.departmentId === null
        ? t('Your role shows the {many} of your department, but you are in none.', { many })
        : t('Your role shows only the {many} of your department. There may be others.', { many })
  return (
    <>
      {why} {others.length > 0 && t('{names} can change that.', { names: inList(others) })}
    </>
  )
}
