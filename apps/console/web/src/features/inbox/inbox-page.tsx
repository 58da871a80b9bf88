import { ActionIcon, Button, Menu, Tabs, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { describeDayHeading, describeInstant } from '../../base/moments.ts'
import { inboxKey, useUnread } from '../../base/unread.ts'
import { ForRecords } from '../../records/for-records.tsx'
import { Age, useNow } from '../../shell/age.tsx'
import { Avatar } from '../../shell/avatar.tsx'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { notify, notifyRefusal } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { notificationsQuery, type Notification } from './inbox-queries.ts'
import { inboxTabs, readInboxSearch, type InboxTab } from './inbox-search.ts'
import { actorIdOf, actorOf, sentenceOf, placeOf } from './inbox-words.ts'
import classes from './inbox.module.css'
import { snoozeTimes } from './snooze-times.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/inbox')

const labels: Readonly<Record<InboxTab, string>> = {
  open: t('Inbox'),
  snoozed: t('Snoozed'),
  done: t('Done'),
}
const empty: Readonly<Record<InboxTab, readonly [string, string]>> = {
  open: [t('You are all caught up'), t('Mentions, assignments, due tasks and bookings appear here.')],
  snoozed: [t('Nothing is snoozed'), t('Snoozed notifications come back at the time that you chose.')],
  done: [t('Nothing here yet'), t('Notifications that you finish are kept here.')],
}

/** The notifications of the person: open ones, ones that were put off, and finished ones. */
export function InboxPage() {
  const { tab = 'open' } = route.useSearch()
  const navigate = route.useNavigate()
  const unread = useUnread()
  const change = useInboxChange()
  return (
    <Page
      title={t('Inbox')}
      note={unread === 0 ? t('Nothing unread') : t('{unread, number} unread', { unread })}
      narrow
      actions={
        <>
          <Button variant="default" disabled={unread === 0} onClick={() => change.mutate({ read: true })}>
            {t('Mark all as read')}
          </Button>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/settings/notifications" {...props} />}
            leftSection={<Icon name="attribute" size={16} />}
          >
            {t('Notification settings')}
          </Button>
        </>
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: readInboxSearch({ tab: next }), resetScroll: false })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t('Notifications by state')}>
          {inboxTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {labels[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {inboxTabs.map((name) => (
          <Tabs.Panel key={name} value={name} className={classes.panel}>
            <Notifications tab={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}

function Notifications({ tab }: { readonly tab: InboxTab }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    notificationsQuery(tab),
  )
  const now = useNow()
  const items = data?.pages.flatMap((page) => page.items)
  if (items === undefined)
    return error === null ? (
      <Panel>
        <LoadingLines lines={6} label={t('Loading notifications')} />
      </Panel>
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  const [title, text] = empty[tab]
  if (items.length === 0)
    return (
      <Panel>
        <EmptyState title={title}>{text}</EmptyState>
      </Panel>
    )
  const days = items.map(({ createdAt }) => describeDayHeading(createdAt, now))
  return (
    <Panel flush>
      <ul className={classes.list} aria-label={t('Notifications')}>
        {items.map((item, at) => (
          <li key={item.id}>
            {days[at] !== days[at - 1] && <h2 className={classes.day}>{days[at]}</h2>}
            <Entry item={item} tab={tab} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Panel>
  )
}

const icons: Readonly<Record<string, IconName>> = {
  'task.due': 'tasks',
  'booking.created': 'meeting',
  RUN_FAILED: 'alert',
  RULE_FAILED: 'alert',
  RULE_PAUSED: 'alert',
  'import.failed': 'alert',
  'import.finished': 'import',
}

function Entry({ item, tab }: { readonly item: Notification; readonly tab: InboxTab }) {
  const change = useInboxChange()
  const { id, record, about, quote, readAt, createdAt, snoozedUntil } = item
  const isUnread = readAt === null && tab !== 'done'
  const text = sentenceOf(item)
  const place = placeOf(item)
  const actor = actorOf(item)
  const name = record ? `${text}: ${record.title}` : text
  const read = () => isUnread && change.mutate({ ids: [id], read: true })
  return (
    <div className={classes.entry} data-unread={isUnread}>
      <span className={classes.dot} aria-hidden="true" />
      {actor === null ? (
        <span className={classes.icon}>
          <Icon name={icons[item.kind] ?? 'bell'} size={16} />
        </span>
      ) : (
        <Avatar name={actor} personId={actorIdOf(item)} />
      )}
      <div className={classes.words}>
        {place === undefined ? (
          <span className={classes.text}>{text}</span>
        ) : (
          <Link to={place} className={classes.link} onClick={read}>
            {isUnread && <VisuallyHidden>{t('Unread:')} </VisuallyHidden>}
            <span className={classes.text}>{text}</span>
            {record && (
              <span className={classes.title} dir="auto">
                {record.title}
              </span>
            )}
          </Link>
        )}
        {about.length > 0 && (
          <span className={classes.about}>
            <ForRecords links={about} />
          </span>
        )}
        {quote !== null && (
          <q className={classes.quote} dir="auto">
            {quote}
          </q>
        )}
        {tab === 'snoozed' && snoozedUntil !== null && (
          <span className={classes.until}>
            {t('Until {snoozedUntil}', { snoozedUntil: describeInstant(snoozedUntil) })}
          </span>
        )}
      </div>
      <Age className={classes.age} at={createdAt} />
      <div className={classes.actions}>
        {tab !== 'done' && (
          <>
            <ActionIcon
              aria-label={isUnread ? t('Mark as read: {name}', { name }) : t('Mark as unread: {name}', { name })}
              title={isUnread ? t('Mark as read') : t('Mark as unread')}
              onClick={() => change.mutate({ ids: [id], read: isUnread })}
            >
              <Icon name={isUnread ? 'eye' : 'unread'} size={16} />
            </ActionIcon>
            <Snooze name={name} onChoose={(snoozedUntil) => change.mutate({ ids: [id], snoozedUntil })} />
          </>
        )}
        <ActionIcon
          aria-label={tab === 'done' ? t('Move to inbox: {name}', { name }) : t('Done: {name}', { name })}
          title={tab === 'done' ? t('Move to inbox') : t('Done')}
          onClick={() => change.mutate({ ids: [id], done: tab !== 'done' })}
        >
          <Icon name={tab === 'done' ? 'restore' : 'check'} size={16} />
        </ActionIcon>
      </div>
    </div>
  )
}

function Snooze({ name, onChoose }: { readonly name: string; onChoose(until: string): void }) {
  const now = useNow()
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon aria-label={t('Snooze: {name}', { name })} title={t('Snooze')}>
          <Icon name="clock" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {snoozeTimes(now).map(({ label, at }) => (
          <Menu.Item
            key={label}
            rightSection={<span className={classes.when}>{describeInstant(at)}</span>}
            onClick={() => onChoose(at)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface InboxChange {
  /** The notifications that change; all if absent. */
  readonly ids?: string[]
  readonly read?: boolean
  readonly done?: boolean
  readonly snoozedUntil?: string
}

function useInboxChange() {
  const client = useQueryClient()
  const undo = (body: InboxChange) =>
    void settings.notifications.read({ body }).then(() => client.invalidateQueries({ queryKey: [inboxKey] }))
  return useMutation({
    mutationFn: (body: InboxChange) => settings.notifications.read({ body }),
    onSuccess: (_answer, { ids, done }) => {
      // The entry is gone once the list is read again, so the notice cannot be its own.
      if (done === true) notify(t('Done'), { label: t('Undo'), run: () => undo({ ids, done: false }) })
      return client.invalidateQueries({ queryKey: [inboxKey] })
    },
    onError: notifyRefusal,
  })
}
