import { Button, NativeSelect, TextInput, Textarea } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import filters from '../../records/list-filters.module.css'
import { SearchField } from '../../records/search-field.tsx'
import { Age } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ChannelList } from './channel-list.tsx'
import { channelsQuery, conversationsQuery, type Channel } from './conversation-queries.ts'
import classes from './conversations.module.css'
import { t } from '../../base/texts.ts'

const allRoute = getRouteApi('/console/conversations')
const channelRoute = getRouteApi('/console/conversations/channels/$id')

/** The conversations of the team in all channels. */
export function ConversationsPage() {
  const { search } = allRoute.useSearch()
  const navigate = allRoute.useNavigate()
  return (
    <Conversations
      channelId={null}
      search={search}
      onSearch={(text) => void navigate({ search: text === '' ? {} : { search: text }, replace: true })}
    />
  )
}

/** The conversations of the team in one channel. */
export function ChannelPage() {
  const { id } = channelRoute.useParams()
  const { search } = channelRoute.useSearch()
  const navigate = channelRoute.useNavigate()
  return (
    <Conversations
      key={id}
      channelId={id}
      search={search}
      onSearch={(text) => void navigate({ params: { id }, search: text === '' ? {} : { search: text }, replace: true })}
    />
  )
}

interface ConversationsProps {
  readonly channelId: string | null
  readonly search: string | undefined
  onSearch(text: string): void
}

function Conversations({ channelId, search, onSearch }: ConversationsProps) {
  const { data: channels } = useQuery(channelsQuery)
  const [isNew, setNew] = useState(false)
  const channel = channels?.find(({ id }) => id === channelId)
  const isGone = channelId !== null && channels !== undefined && channel === undefined
  const mayBegin = channels !== undefined && channels.length > 0 && !isGone
  return (
    <Page
      title={channel ? `# ${channel.name}` : t('Conversations')}
      note={channel?.topic ?? undefined}
      actions={
        mayBegin && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setNew(true)}>
            {t('New conversation')}
          </Button>
        )
      }
    >
      <div className={classes.places}>
        <ChannelList chosen={channelId} />
        <div className={classes.main}>
          {isGone ? (
            <Panel>
              <EmptyState title={t('Channel not found')}>{t('It may have been deleted.')}</EmptyState>
            </Panel>
          ) : (
            <>
              <search className={filters.filters}>
                <SearchField
                  label={t('Search conversations')}
                  placeholder={t('Search subjects and messages')}
                  value={search ?? ''}
                  onSearch={(text) => onSearch(text.trim())}
                />
              </search>
              <ConversationList channelId={channelId} search={search} channels={channels} />
            </>
          )}
        </div>
      </div>
      {mayBegin && (
        <NewConversationDialog opened={isNew} channels={channels} channelId={channelId} onClose={() => setNew(false)} />
      )}
    </Page>
  )
}

interface ConversationListProps {
  readonly channelId: string | null
  readonly search: string | undefined
  readonly channels: readonly Channel[] | undefined
}

function ConversationList({ channelId, search, channels }: ConversationListProps) {
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    conversationsQuery({ channelId: channelId ?? undefined, search }),
  )
  const conversations = data?.pages.flatMap(({ items }) => items)
  if (conversations === undefined)
    return error === null ? (
      <Panel>
        <LoadingLines label={t('Loading conversations')} />
      </Panel>
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (conversations.length === 0)
    return (
      <Panel>
        <NoConversations isSearched={search !== undefined} channels={channels} />
      </Panel>
    )
  return (
    <Panel flush>
      <ul className={classes.conversations} aria-label={t('Conversations')} data-stale={isPlaceholderData}>
        {conversations.map(({ id, subject, channelName, messages, lastMessageAt, startedBy }) => (
          <li key={id}>
            <Link to="/conversations/$id" params={{ id }} className={classes.conversation}>
              <span className={classes.subject}>{subject}</span>
              <span className={classes.facts}>
                {channelId === null && <span># {channelName}</span>}
                {startedBy && <span>{startedBy.name}</span>}
                <span>{t('{count, plural, one {# message} other {# messages}}', { count: messages })}</span>
                <Age at={lastMessageAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            size="xs"
            fullWidth
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('Show more')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function NoConversations({
  isSearched,
  channels,
}: {
  readonly isSearched: boolean
  readonly channels: readonly Channel[] | undefined
}) {
  const { may } = useSession()
  if (isSearched) return <EmptyState title={t('Nothing found')}>{t('No messages match.')}</EmptyState>
  if (channels?.length === 0)
    return (
      <EmptyState title={t('No channels yet')}>
        {may('MANAGE_WORKSPACE')
          ? t('Create the first channel so that your team can talk.')
          : t('An administrator can create the first channel.')}
      </EmptyState>
    )
  return <EmptyState title={t('No messages yet')}>{t('Start the first conversation.')}</EmptyState>
}

interface NewConversationDialogProps {
  readonly opened: boolean
  readonly channels: readonly Channel[]
  readonly channelId: string | null
  onClose(): void
}

function NewConversationDialog({ opened, channels, channelId, onClose }: NewConversationDialogProps) {
  const navigate = useNavigate()
  const begin = useChange(
    async (body: { channelId: string; subject: string; body: string }) => {
      const { data } = await settings.conversations.create({ body })
      await navigate({ to: '/conversations/$id', params: { id: data.id } })
    },
    { said: t('Conversation started'), stale: ['conversations', 'channels'], onDone: onClose },
  )
  const errors = fieldErrors(begin.error)
  return (
    <FormDialog
      opened={opened}
      title={t('New conversation')}
      submit={t('Start', { context: 'verb' })}
      isBusy={begin.isPending}
      error={begin.error}
      onSubmit={(form) =>
        begin.mutate({
          channelId: textIn(form, 'channelId'),
          subject: textIn(form, 'subject'),
          body: textIn(form, 'body'),
        })
      }
      onClose={onClose}
    >
      <NativeSelect
        name="channelId"
        label={t('Channel')}
        defaultValue={channelId ?? undefined}
        error={errors['channelId']}
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextInput
        name="subject"
        label={t('Subject')}
        error={errors['subject']}
        maxLength={200}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <Textarea
        name="body"
        label={t('Message')}
        error={errors['body']}
        maxLength={4000}
        rows={4}
        required
        withAsterisk={false}
      />
    </FormDialog>
  )
}
