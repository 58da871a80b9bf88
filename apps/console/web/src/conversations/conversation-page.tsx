import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { settings } from '../api.ts'
import { fieldErrors, isRefusedWith } from '../refusals.ts'
import { Age } from '../shell/age.tsx'
import { Page, Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { ChannelList } from './channel-list.tsx'
import { conversationQuery, messagesQuery } from './conversation-queries.ts'
import classes from './conversations.module.css'

const route = getRouteApi('/console/conversations/$id')

/** What was said in a conversation, and a place to say something. */
export function ConversationPage() {
  const { id } = route.useParams()
  const { data: conversation, error, refetch } = useQuery(conversationQuery(id))
  const title = error === null ? 'Conversation' : 'This conversation cannot be shown'
  return (
    <Page title={conversation?.subject ?? title} note={conversation && `# ${conversation.channelName}`}>
      <div className={classes.places}>
        <ChannelList chosen={conversation?.channelId ?? ''} />
        <div className={classes.main}>
          <RefusalAlert error={error} retry={() => void refetch()} />
          {error === null && <Panel><Thread key={id} id={id} /></Panel>}
        </div>
      </div>
    </Page>
  )
}

function Thread({ id }: { readonly id: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(messagesQuery(id))
  const messages = data?.pages.flatMap(({ items }) => items).toReversed()
  if (messages === undefined) return error === null ? <LoadingLines lines={6} label="Loading the messages" /> : <RefusalAlert error={error} retry={() => void refetch()} />
  return (
    <Stack>
      <div role="log" aria-label="Messages" tabIndex={0} className={classes.log}>
        {hasNextPage && <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show earlier</Button>}
        {messages.map(({ id: messageId, author, body, createdAt }) => (
          <article key={messageId} className={classes.message} aria-label={author.name}>
            <div className={classes.facts}><span className={classes.author}>{author.name}</span><Age at={createdAt} /></div>
            <div className={classes.body}>{body}</div>
          </article>
        ))}
        <span key={messages.at(-1)?.id} ref={showEnd} />
      </div>
      <MessageForm id={id} />
    </Stack>
  )
}

/** Moves what scrolls around an element to its end, once for each latest message. */
function showEnd(element: HTMLElement | null): void {
  const around = element?.parentElement
  if (around) around.scrollTop = around.scrollHeight
}

function MessageForm({ id }: { readonly id: string }) {
  const [body, setBody] = useState('')
  const client = useQueryClient()
  const say = useMutation({
    mutationFn: () => settings.conversations.say({ params: { id }, body: { body } }),
    onSuccess: () => {
      setBody('')
      return client.invalidateQueries({ queryKey: ['conversations'] })
    },
  })
  const isEmpty = body.trim() === ''
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!isEmpty && !say.isPending) say.mutate()
  }
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form onSubmit={submit} aria-label="Say something">
      <Stack gap="xs">
        <Textarea aria-label="Message" placeholder="Write a message" rows={3} maxLength={4000} value={body} error={fieldErrors(say.error)['body']} onChange={(event) => setBody(event.currentTarget.value)} onKeyDown={sendByKey} />
        {!isRefusedWith(say.error, 'VALIDATION_ERROR') && <RefusalAlert error={say.error} />}
        <Group justify="flex-end"><Button type="submit" disabled={isEmpty} loading={say.isPending} title="Ctrl + Enter">Send</Button></Group>
      </Stack>
    </form>
  )
}
