import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import type { Channel } from './conversation-queries.ts'
import { t } from '../../base/texts.ts'

/** Makes a channel, or changes its name and topic. */
export function ChannelDialog({ channel, onClose }: { readonly channel: Channel | 'new' | null; onClose(): void }) {
  const current = channel === 'new' ? null : channel
  const save = useChange(
    (body: { name: string; topic: string }) =>
      current ? settings.channels.update({ params: { id: current.id }, body }) : settings.channels.create({ body }),
    { said: t('Saved'), stale: ['channels', 'conversations'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened={channel !== null}
      title={current ? t('Edit channel') : t('New channel')}
      submit={t('Save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate({ name: textIn(form, 'name'), topic: textIn(form, 'topic') })}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('Name')}
        defaultValue={current?.name}
        error={errors['name']}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="topic"
        label={t('Topic')}
        description={t('What belongs here')}
        defaultValue={current?.topic ?? ''}
        error={errors['topic']}
        maxLength={500}
        autoComplete="off"
      />
    </FormDialog>
  )
}

interface RemoveChannelDialogProps {
  readonly channel: Channel | null
  /** Whether the page shows this channel. */
  readonly isChosen: boolean
  onClose(): void
}

/** Deletes a channel after a confirmation. */
export function RemoveChannelDialog({ channel, isChosen, onClose }: RemoveChannelDialogProps) {
  const navigate = useNavigate()
  const remove = useChange(
    async (id: string) => {
      await settings.channels.delete({ params: { id } })
      if (isChosen) await navigate({ to: '/conversations', search: {} })
    },
    { said: t('Channel deleted'), stale: ['channels', 'conversations'], onDone: onClose },
  )
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={channel !== null}
      onClose={close}
      title={t('Delete this channel?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => channel !== null && remove.mutate(channel.id)}
    >
      {t.rich(
        '<b>{name}</b> is deleted for good, with {count, plural, one {its conversation} other {its # conversations}} and all messages.',
        {
          name: channel?.name ?? '',
          count: channel?.conversations ?? 0,
          b: (text) => <b>{text}</b>,
        },
      )}
    </ConfirmDialog>
  )
}
