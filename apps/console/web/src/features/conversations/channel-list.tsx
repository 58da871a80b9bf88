import { ActionIcon, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { Icon } from '../../shell/icons.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ChannelDialog, RemoveChannelDialog } from './channel-dialogs.tsx'
import { channelsQuery, type Channel } from './conversation-queries.ts'
import classes from './conversations.module.css'
import { t } from '../../base/texts.ts'

/** The channels beside their messages, with the ways to change them for a person who manages the workspace. */
export function ChannelList({ chosen }: { readonly chosen: string | null }) {
  const { may } = useSession()
  const { data: channels, error, refetch } = useQuery(channelsQuery)
  const [edited, setEdited] = useState<Channel | 'new' | null>(null)
  const [removed, setRemoved] = useState<Channel | null>(null)
  return (
    <nav className={classes.channels} aria-label={t('Channels')}>
      <div className={classes.channelsHead}>
        {t('Channels')}
        {may('MANAGE_WORKSPACE') && (
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={t('New channel')}
            title={t('New channel')}
            onClick={() => setEdited('new')}
          >
            <Icon name="plus" size={16} />
          </ActionIcon>
        )}
      </div>
      <Link
        to="/conversations"
        search={{}}
        className={classes.channel}
        aria-current={chosen === null ? 'page' : undefined}
        data-chosen={chosen === null}
      >
        {t('All conversations')}
      </Link>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {channels === undefined && error === null && <LoadingLines lines={3} label={t('Loading channels')} />}
      {channels?.map((channel) => (
        <div key={channel.id} className={classes.channelRow}>
          <Link
            to="/conversations/channels/$id"
            params={{ id: channel.id }}
            search={{}}
            className={classes.channel}
            title={channel.topic ?? undefined}
            aria-current={channel.id === chosen ? 'page' : undefined}
            data-chosen={channel.id === chosen}
          >
            # {channel.name}
          </Link>
          {may('MANAGE_WORKSPACE') && (
            <ChannelMenu channel={channel} onEdit={() => setEdited(channel)} onRemove={() => setRemoved(channel)} />
          )}
        </div>
      ))}
      <ChannelDialog key={edited === 'new' ? 'new' : edited?.id} channel={edited} onClose={() => setEdited(null)} />
      <RemoveChannelDialog
        channel={removed}
        isChosen={removed !== null && removed.id === chosen}
        onClose={() => setRemoved(null)}
      />
    </nav>
  )
}

interface ChannelMenuProps {
  readonly channel: Channel
  onEdit(): void
  onRemove(): void
}

function ChannelMenu({ channel: { name }, onEdit, onRemove }: ChannelMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size="sm" aria-label={t('Edit {name}', { name })}>
          <Icon name="dots" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{t('Rename')}</Menu.Item>
        <Menu.Item color="red" onClick={onRemove}>
          {t('Delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
