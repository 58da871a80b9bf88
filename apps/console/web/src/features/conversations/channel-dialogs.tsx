import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import type { Channel } from './conversation-queries.ts'

/** Makes a channel, or changes its name and topic. */
export function ChannelDialog({ channel, onClose }: { readonly channel: Channel | 'new' | null; onClose(): void }) {
  const current = channel === 'new' ? null : channel
  const save = useChange(
    (body: { name: string; topic: string }) =>
      current ? settings.channels.update({ params: { id: current.id }, body }) : settings.channels.create({ body }),
    { said: 'Saved', stale: ['channels', 'conversations'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened={channel !== null}
      title={current ? 'Change the channel' : 'New channel'}
      submit="Save"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate({ name: textIn(form, 'name'), topic: textIn(form, 'topic') })}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label="Name"
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
        label="Topic"
        description="What belongs here"
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
    { said: 'The channel was deleted', stale: ['channels', 'conversations'], onDone: onClose },
  )
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={channel !== null}
      onClose={close}
      title="Delete this channel?"
      confirm="Delete"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => channel !== null && remove.mutate(channel.id)}
    >
      <b>{channel?.name}</b> goes for good, with{' '}
      {channel?.conversations === 1
        ? 'its conversation'
        : `its ${channel?.conversations.toLocaleString('en')} conversations`}{' '}
      and everything that was said there.
    </ConfirmDialog>
  )
}
