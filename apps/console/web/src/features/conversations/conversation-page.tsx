import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { titleOfFailure } from '../../base/refusals.ts'
import { Saying } from '../../records/saying.tsx'
import { useWriting } from '../../records/writing.ts'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ChannelList } from './channel-list.tsx'
import { conversationQuery, messagesQuery } from './conversation-queries.ts'
import classes from './conversations.module.css'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/conversations/$id')

/** The messages of a conversation, and a field for a new one. */
export function ConversationPage() {
  const { id } = route.useParams()
  const { data: conversation, error, refetch } = useQuery(conversationQuery(id))
  const title =
    error === null ? t('Conversation') : titleOfFailure(error, t('Conversation not found, or you do not have access'))
  return (
    <Page title={conversation?.subject ?? title} note={conversation && `# ${conversation.channelName}`}>
      <div className={classes.places}>
        <ChannelList chosen={conversation?.channelId ?? ''} />
        <div className={classes.main}>
          <RefusalAlert error={error} retry={() => void refetch()} />
          {error === null && (
            <Panel>
              <Thread key={id} id={id} />
            </Panel>
          )}
        </div>
      </div>
    </Page>
  )
}

function Thread({ id }: { readonly id: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(messagesQuery(id))
  const messages = data?.pages.flatMap(({ items }) => items).toReversed()
  if (messages === undefined)
    return error === null ? (
      <LoadingLines lines={6} label={t('Loading messages')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack>
      <div role="log" aria-label={t('Messages')} tabIndex={0} className={classes.log}>
        {hasNextPage && (
          <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Show more')}
          </Button>
        )}
        {messages.map(({ id: messageId, author, body, createdAt }) => (
          <article key={messageId} className={classes.message} aria-label={author.name}>
            <Saying author={author.name} at={createdAt} body={body} />
          </article>
        ))}
        <span key={messages.at(-1)?.id} ref={showEnd} />
      </div>
      <MessageForm id={id} />
    </Stack>
  )
}

/** Scrolls the container of an element to its end, once for each latest message. */
function showEnd(element: HTMLElement | null): void {
  const around = element?.parentElement
  if (around) around.scrollTop = around.scrollHeight
}

function MessageForm({ id }: { readonly id: string }) {
  const client = useQueryClient()
  const writing = useWriting({
    send: (body) => settings.conversations.say({ params: { id }, body: { body } }),
    onSent: () => client.invalidateQueries({ queryKey: ['conversations'] }),
  })
  return (
    <form onSubmit={writing.onSubmit} aria-label={t('Write a message')}>
      <Stack gap="xs">
        <Textarea
          aria-label={t('Message')}
          placeholder={t('Write a message')}
          rows={3}
          maxLength={4000}
          {...writing.area}
        />
        <RefusalAlert error={writing.refusal} />
        <Group justify="flex-end">
          <Button {...writing.button}>{t('Send')}</Button>
        </Group>
      </Stack>
    </form>
  )
}
