import type { visibilities } from '@crm/contract'
import { Button, Checkbox, Group, Stack, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { crm } from '../api.ts'
import { fieldErrors, isRefusedWith } from '../refusals.ts'
import { Age } from '../shell/age.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import classes from './comments.module.css'
import { collectionOf, type RecordPlace } from './record-place.ts'
import { commentsQuery } from './record-queries.ts'

type Visibility = (typeof visibilities)[number]

/** The comments on a record, and a place for another one. */
export function Comments({ record }: { readonly record: RecordPlace }) {
  return (
    <Stack>
      <CommentForm record={record} />
      <CommentList record={record} />
    </Stack>
  )
}

function CommentForm({ record }: { readonly record: RecordPlace }) {
  const [body, setBody] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('INTERNAL')
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () => crm.comments.create({ body: { ...record, body, visibility } }),
    onSuccess: () => {
      setBody('')
      return Promise.all(['comments', 'timeline'].map((kind) => client.invalidateQueries({ queryKey: [collectionOf(record.entityType), kind, record.entityId] })))
    },
  })
  const isEmpty = body.trim() === ''
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!isEmpty && !add.isPending) add.mutate()
  }
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form onSubmit={submit} aria-label="Add a comment">
      <Stack gap="xs">
        <Textarea
          aria-label="Comment"
          placeholder="Write a comment"
          autosize={false}
          rows={2}
          value={body}
          error={fieldErrors(add.error)['body']}
          onChange={(event) => setBody(event.currentTarget.value)}
          onKeyDown={sendByKey}
        />
        {!isRefusedWith(add.error, 'VALIDATION_ERROR') && <RefusalAlert error={add.error} />}
        <Group justify="space-between">
          <Checkbox label="May be shown to the customer" size="xs" checked={visibility === 'SHARED'} onChange={(event) => setVisibility(event.currentTarget.checked ? 'SHARED' : 'INTERNAL')} />
          <Button type="submit" variant="default" size="xs" disabled={isEmpty} loading={add.isPending} title="Ctrl + Enter">Add comment</Button>
        </Group>
      </Stack>
    </form>
  )
}

function CommentList({ record }: { readonly record: RecordPlace }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(commentsQuery(record))
  const comments = data?.pages.flatMap(({ items }) => items)
  if (comments === undefined) return error === null ? <LoadingLines lines={2} label="Loading the comments" /> : <RefusalAlert error={error} retry={() => void refetch()} />
  if (comments.length === 0) return null
  return (
    <>
      <ul className={classes.comments} aria-label="Comments">
        {comments.map(({ id, author, body, createdAt, visibility }) => (
          <li key={id} className={classes.comment}>
            <div className={classes.head}>
              <span className={classes.author}>{author.name}</span>
              <Age at={createdAt} />
              {visibility === 'SHARED' && <span>shared with the customer</span>}
              {author.type === 'EXTERNAL' && <span>from outside</span>}
            </div>
            <div className={classes.body}>{body}</div>
          </li>
        ))}
      </ul>
      <RefusalAlert error={error} />
      {hasNextPage && <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show earlier</Button>}
    </>
  )
}
