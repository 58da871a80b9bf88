import type { ShownTimelineEntry } from '@crm/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { describeSize } from '../base/file-size.ts'
import { isShownImage } from '../base/shown-images.ts'
import { describeDayHeading } from '../base/moments.ts'
import { Age, useNow } from '../shell/age.tsx'
import { Avatar } from '../shell/avatar.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { EntryActions } from './entry-actions.tsx'
import { ChangeList } from './change-list.tsx'
import { EntrySentence, useChangesLeft } from './entry-sentence.tsx'
import { foldEntries, type Told } from './feed-entries.ts'
import { anyRecordQuery } from './record-calls.ts'
import type { RecordPlace } from './record-place.ts'
import { commentsQuery, timelineQuery, type CommentRecord } from './record-queries.ts'
import classes from './timeline.module.css'
import { t } from '../base/texts.ts'
import { LinkedText } from '../shell/linked-text.tsx'

interface TimelineProps {
  readonly record: RecordPlace
  /** The kinds of entry to show; all of them if absent. */
  readonly kinds?: readonly string[] | undefined
}

type Entry = ShownTimelineEntry

/** The history of a record by day, page by page, newest first, each note in full. */
export function Timeline({ record, kinds }: TimelineProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    timelineQuery(record, kinds),
  )
  const notes = useNotes(record)
  const now = useNow()
  const things = data && foldEntries(data.pages.flatMap(({ items }) => items))
  if (things === undefined)
    return error === null ? (
      <LoadingLines lines={5} label={t('Loading activity')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (things.length === 0) return <EmptyState title={t('No activity yet')} />
  const days = things.map(({ entry }) => describeDayHeading(entry.occurredAt, now))
  return (
    <>
      <ol className={classes.entries} aria-label={t('Activity feed')}>
        {things.map((told, at) => (
          <li key={told.entry.id}>
            {days[at] !== days[at - 1] && <h3 className={classes.day}>{days[at]}</h3>}
            <Thing told={told} record={record} note={notes.get(told.entry.relatedId ?? '')} />
          </li>
        ))}
      </ol>
      <RefusalAlert error={error} />
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

interface ThingProps {
  readonly told: Told<Entry>
  readonly record: RecordPlace
  readonly note: CommentRecord | undefined
}

/** One thing that somebody did, with its content and what can be done about it. */
function Thing({ told, record, note }: ThingProps) {
  const { entry } = told
  const isOwn = entry.entityId === record.entityId
  const { data: own } = useQuery({ ...anyRecordQuery(record.entityType, record.entityId), enabled: isOwn })
  const currency = isOwn ? own?.['currency'] : undefined
  return (
    <div className={classes.entry}>
      <Avatar name={entry.actor.name} personId={entry.actor.id} size={26} />
      <div className={classes.told}>
        <div className={classes.line}>
          <EntrySentence told={told} place={record} currency={currency} />
          <Age className={classes.time} at={entry.occurredAt} />
        </div>
        <Words entry={entry} note={note} />
        <FilePreview entry={entry} />
        <Changes told={told} currency={currency} />
        <EntryActions record={record} entry={entry} note={note} />
      </div>
    </div>
  )
}

/** Returns the latest notes of a record by id; the text of older ones is quoted in the history. */
function useNotes(record: RecordPlace): ReadonlyMap<string, CommentRecord> {
  const { data } = useInfiniteQuery(commentsQuery(record))
  return new Map(data?.pages.flatMap(({ items }) => items.map((note) => [note.id, note] as const)))
}

/** The text that an entry is about: a note in full, or the first lines of an email, a call, a comment elsewhere. */
function Words({ entry: { quote }, note }: { readonly entry: Entry; readonly note: CommentRecord | undefined }) {
  const words = note?.body ?? quote
  if (words === null || words === undefined) return null
  const marks = [
    note?.visibility === 'SHARED' ? t('Visible to the customer') : undefined,
    note?.author.type === 'EXTERNAL' ? t('From outside') : undefined,
  ].filter(Boolean)
  return (
    <div className={classes.note}>
      <div dir="auto">
        <LinkedText text={words} />
      </div>
      {marks.length > 0 && <div className={classes.time}>{marks.join(' · ')}</div>}
    </div>
  )
}

/** What a file is: an image small, any other file by its size. */
function FilePreview({ entry: { kind, relatedId, links, data } }: { readonly entry: Entry }) {
  const file = links.find(({ id, entityType }) => id === relatedId && entityType === 'FILE')
  const size = typeof data['size'] === 'number' ? data['size'] : undefined
  if (kind !== 'FILE_ADDED' || file === undefined || size === undefined) return null
  if (!isShownImage({ contentType: data['contentType'], size }))
    return <div className={classes.time}>{describeSize(size)}</div>
  return (
    <Link to="/files/$id" params={{ id: file.id }} className={classes.preview}>
      <img src={`/api/files/${file.id}/content`} alt={file.title ?? ''} loading="lazy" />
    </Link>
  )
}

function Changes({ told, currency }: { readonly told: Told<Entry>; readonly currency: unknown }) {
  return <ChangeList changes={useChangesLeft({ told, currency })} />
}
