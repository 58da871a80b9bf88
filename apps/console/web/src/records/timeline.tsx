import { Button } from '@mantine/core'
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { crm } from '../base/api.ts'
import { Link } from '@tanstack/react-router'
import { describeDayHeading } from '../base/moments.ts'
import { usePeopleNames } from '../base/people.ts'
import { Age, useNow } from '../shell/age.tsx'
import { Avatar } from '../shell/avatar.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { EntryActions } from './entry-actions.tsx'
import { foldEntries } from './feed-entries.ts'
import { usePipelines } from './pipelines.ts'
import { addressOf, nounOf, type RecordPlace } from './record-place.ts'
import { commentsQuery, timelineQuery, type CommentRecord } from './record-queries.ts'
import {
  describeChanges,
  describeKind,
  describeSource,
  namedTextOf,
  partsOf,
  type ChangeInWords,
  type Names,
} from './timeline-words.ts'
import classes from './timeline.module.css'
import { t } from '../base/texts.ts'

interface TimelineProps {
  readonly record: RecordPlace
  /** The kinds of entry to show; all of them if absent. */
  readonly kinds?: readonly string[] | undefined
}

/** The history of a record and its notes, newest first. */
export function Timeline({ record, kinds }: TimelineProps) {
  return <HistoryEntries record={record} history={useInfiniteQuery(timelineQuery(record, kinds))} />
}

type Entry = Awaited<ReturnType<typeof crm.timeline.list>>['items'][number] & {
  readonly text?: string
  readonly record?: { readonly title: string }
}
type History = UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Entry[] }>>

interface HistoryEntriesProps {
  readonly record: RecordPlace
  readonly history: History
}

/** The entries of a history by day, page by page, each note in full. */
export function HistoryEntries({
  record,
  history: { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage },
}: HistoryEntriesProps) {
  const names = useNames()
  const notes = useNotes(record)
  const now = useNow()
  const entries = data && foldEntries(data.pages.flatMap(({ items }) => items))
  if (entries === undefined)
    return error === null ? (
      <LoadingLines lines={5} label={t('records.loadingActivity')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (entries.length === 0) return <EmptyState title={t('records.noActivityYet')} />
  const days = entries.map(({ occurredAt }) => describeDayHeading(occurredAt, now))
  return (
    <>
      <ol className={classes.entries} aria-label={t('records.activityFeed')}>
        {entries.map((entry, at) => (
          <li key={entry.id}>
            {days[at] !== days[at - 1] && <h3 className={classes.day}>{days[at]}</h3>}
            <div className={classes.entry}>
              <Avatar name={entry.actor.name} size={26} />
              <div className={classes.told}>
                <div className={classes.line}>
                  <span>
                    <span className={classes.actor}>{entry.actor.name}</span> <What entry={entry} record={record} />{' '}
                    {describeSource(entry.source)}
                  </span>
                  <Age className={classes.time} at={entry.occurredAt} />
                </div>
                <Words entry={entry} note={notes.get(entry.relatedId ?? '')} />
                <Changes changes={describeChanges(entry.changes, names)} />
                <EntryActions record={record} entry={entry} note={notes.get(entry.relatedId ?? '')} />
              </div>
            </div>
          </li>
        ))}
      </ol>
      <RefusalAlert error={error} />
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('common.showMore')}
        </Button>
      )}
    </>
  )
}

/** Returns the latest notes of a record by id; the text of older ones is quoted in the history. */
function useNotes(record: RecordPlace): ReadonlyMap<string, CommentRecord> {
  const { data } = useInfiniteQuery(commentsQuery(record))
  return new Map(data?.pages.flatMap(({ items }) => items.map((note) => [note.id, note] as const)))
}

/** The action of an entry, with the names of the records that this page does not show. */
function What({ entry, record }: { readonly entry: Entry; readonly record: RecordPlace }) {
  const { kind, entityType, entityId, relatedType, relatedId, text, actor } = entry
  const { named } = partsOf(text ?? '', actor.name)
  const isGone = kind === 'FILE_REMOVED' || relatedType === null || relatedId === null
  const other = entityId === record.entityId ? undefined : entry.record?.title
  const own = other !== undefined && (
    <Link className={classes.named} {...addressOf({ entityType, entityId })}>
      {other}
    </Link>
  )
  const sentence = namedTextOf(kind)
  if (named === null || sentence === undefined)
    return (
      <>
        {describeKind(kind, nounOf(entityType))} {own}
      </>
    )
  return t.rich(sentence, {
    title: named,
    name: (title) =>
      isGone ? (
        <b>{title}</b>
      ) : (
        <Link className={classes.named} {...addressOf({ entityType: relatedType, entityId: relatedId })}>
          {title}
        </Link>
      ),
  })
}

/** The text that an entry is about: a note in full, or a quotation. */
function Words({ entry: { text, actor }, note }: { readonly entry: Entry; readonly note: CommentRecord | undefined }) {
  const { quote } = partsOf(text ?? '', actor.name)
  const words = note?.body ?? quote
  if (words === null || words === undefined) return null
  const marks = [
    note?.visibility === 'SHARED' ? t('records.visibleToTheCustomer') : undefined,
    note?.author.type === 'EXTERNAL' ? t('records.fromOutside') : undefined,
  ].filter(Boolean)
  return (
    <div className={classes.note}>
      <div dir="auto">{words}</div>
      {marks.length > 0 && <div className={classes.time}>{marks.join(' · ')}</div>}
    </div>
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
              <del aria-label={t('records.wasFrom', { from })}>{from}</del>{' '}
            </>
          )}
          <span aria-hidden="true">→</span>{' '}
          <ins aria-label={t('records.isTo', { to: to ?? t('records.emptyValue') })}>
            {to ?? t('records.emptyValue')}
          </ins>
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
