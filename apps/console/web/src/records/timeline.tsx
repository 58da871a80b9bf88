import { Button } from '@mantine/core'
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { crm } from '../base/api.ts'
import { Link } from '@tanstack/react-router'
import { usePeopleNames } from '../base/people.ts'
import { Age } from '../shell/age.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { usePipelines } from './pipelines.ts'
import { addressOf, nounOf, type RecordPlace } from './record-place.ts'
import { timelineQuery } from './record-queries.ts'
import {
  describeChanges,
  describeKind,
  describeSource,
  partsOf,
  type ChangeInWords,
  type Names,
} from './timeline-words.ts'
import classes from './timeline.module.css'

/** The history of a record, newest first. */
export function Timeline({ record }: { readonly record: RecordPlace }) {
  return <HistoryEntries history={useInfiniteQuery(timelineQuery(record))} />
}

type Entry = Awaited<ReturnType<typeof crm.timeline.list>>['items'][number] & { readonly text?: string }
type History = UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Entry[] }>>

/** The entries of a history, page by page. */
export function HistoryEntries({
  history: { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage },
}: {
  readonly history: History
}) {
  const names = useNames()
  // Notes are shown in full above the history.
  const entries = data?.pages.flatMap(({ items }) => items).filter(({ kind }) => kind !== 'COMMENT_ADDED')
  if (entries === undefined)
    return error === null ? (
      <LoadingLines lines={5} label="Loading activity" />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (entries.length === 0) return <EmptyState title="No activity yet" />
  return (
    <>
      <ol className={classes.entries} aria-label="Activity feed">
        {entries.map((entry) => (
          <li key={entry.id} className={classes.entry} data-kind={entry.kind}>
            <div>
              <span className={classes.actor}>{entry.actor.name}</span> <What entry={entry} />{' '}
              {describeSource(entry.source)}
            </div>
            <Changes changes={describeChanges(entry.changes, names)} />
            <Age className={classes.time} at={entry.occurredAt} />
          </li>
        ))}
      </ol>
      <RefusalAlert error={error} />
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

/** The action of an entry, with the name of the other record and the quoted text. */
function What({ entry }: { readonly entry: Entry }) {
  const { kind, entityType, relatedType, relatedId, text, actor } = entry
  const { said, named, quote } = partsOf(text ?? '', actor.name)
  const isGone = kind === 'FILE_REMOVED' || relatedType === null || relatedId === null
  return (
    <>
      {named === null ? describeKind(kind, nounOf(entityType)) : `${said} `}
      {named !== null && isGone && <b>{named}</b>}
      {named !== null && !isGone && (
        <Link className={classes.named} {...addressOf({ entityType: relatedType, entityId: relatedId })}>
          {named}
        </Link>
      )}
      {quote !== null && <q className={classes.quote}>{quote}</q>}
    </>
  )
}

function Changes({ changes }: { readonly changes: readonly ChangeInWords[] }) {
  if (changes.length === 0) return null
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, name, from, to }) => (
        <li key={field}>
          <span className={classes.field}>{name}</span>{' '}
          {from !== null && (
            <>
              <del aria-label={`was ${from}`}>{from}</del>{' '}
            </>
          )}
          <span aria-hidden="true">→</span> <ins aria-label={`is ${to ?? 'empty'}`}>{to ?? 'empty'}</ins>
        </li>
      ))}
    </ul>
  )
}

function useNames(): Names {
  const people = usePeopleNames()
  const pipelines = [...usePipelines('LEAD'), ...usePipelines('DEAL')]
  return new Map([
    ...people,
    ...pipelines.flatMap(({ id, name, stages }) => [
      [id, name] as const,
      ...stages.map((stage) => [stage.id, stage.name] as const),
    ]),
  ])
}
