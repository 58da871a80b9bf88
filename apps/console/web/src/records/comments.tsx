import type { visibilities } from '@crm/contract'
import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../base/api.ts'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import classes from './comments.module.css'
import { collectionOf, type RecordPlace } from './record-place.ts'
import { MentionField } from './mention-field.tsx'
import { mentionedIn, type Mentionable } from './mentions.ts'
import { commentsQuery } from './record-queries.ts'
import { Saying } from './saying.tsx'
import { useWriting } from './writing.ts'

type Visibility = (typeof visibilities)[number]

/** The comments on a record, and a field for another one. */
export function Comments({ record }: { readonly record: RecordPlace }) {
  return (
    <Stack>
      <CommentForm record={record} />
      <CommentList record={record} />
    </Stack>
  )
}

function CommentForm({ record }: { readonly record: RecordPlace }) {
  const [visibility, setVisibility] = useState<Visibility>('INTERNAL')
  const [chosen, setChosen] = useState<readonly Mentionable[]>([])
  const client = useQueryClient()
  const writing = useWriting({
    send: (body) => crm.comments.create({ body: { ...record, body, visibility, mentions: mentionedIn(body, chosen) } }),
    onSent: () =>
      Promise.all(
        ['comments', 'timeline'].map((kind) =>
          client.invalidateQueries({ queryKey: [collectionOf(record.entityType), kind, record.entityId] }),
        ),
      ),
  })
  return (
    <form onSubmit={writing.onSubmit} aria-label="New note">
      <Stack gap="xs">
        <MentionField
          aria-label="Note"
          placeholder="Write a note. @ mentions a colleague"
          autosize={false}
          rows={2}
          {...writing.area}
          onText={writing.setText}
          onMention={(person) => setChosen([...chosen, person])}
        />
        <RefusalAlert error={writing.refusal} />
        <Group justify="space-between">
          <Checkbox
            label="Visible to the customer"
            size="xs"
            checked={visibility === 'SHARED'}
            onChange={(event) => setVisibility(event.currentTarget.checked ? 'SHARED' : 'INTERNAL')}
          />
          <Button variant="default" size="xs" {...writing.button}>
            Save note
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function CommentList({ record }: { readonly record: RecordPlace }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    commentsQuery(record),
  )
  const comments = data?.pages.flatMap(({ items }) => items)
  if (comments === undefined)
    return error === null ? (
      <LoadingLines lines={2} label="Loading notes" />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (comments.length === 0) return null
  return (
    <>
      <ul className={classes.comments} aria-label="Notes">
        {comments.map(({ id, author, body, createdAt, visibility }) => (
          <li key={id} className={classes.comment}>
            <Saying author={author.name} at={createdAt} body={body}>
              {visibility === 'SHARED' && <span>shared with the customer</span>}
              {author.type === 'EXTERNAL' && <span>from outside</span>}
            </Saying>
          </li>
        ))}
      </ul>
      <RefusalAlert error={error} />
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}
