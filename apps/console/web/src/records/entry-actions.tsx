import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { t } from '../base/texts.ts'
import { RefusalAlert } from '../shell/states.tsx'
import { notifyRefusal } from '../shell/notices.tsx'
import { useTaskStatus } from './completing.ts'
import { inWords } from './field-words.ts'
import { anyRecordQuery } from './record-calls.ts'
import { collectionOf, type RecordPlace } from './record-place.ts'
import { openTasksQuery, type CommentRecord } from './record-queries.ts'
import { Replying } from './replying.ts'
import { offerUndo } from './undoing.ts'
import { useWriting } from './writing.ts'
import classes from './timeline.module.css'

/** What an entry of a history says of what it is about. */
interface ActedOn {
  readonly kind: string
  readonly relatedType: string | null
  readonly relatedId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

interface EntryActionsProps {
  readonly record: RecordPlace
  readonly entry: ActedOn
  readonly note: CommentRecord | undefined
}

/** What a person can do where an entry stands: answer or edit a note, reply to an email, complete a task. */
export function EntryActions({ record, entry, note }: EntryActionsProps) {
  const { replyTo } = useContext(Replying)
  const { kind, relatedType, relatedId, data } = entry
  if (note !== undefined) return <NoteActions record={record} note={note} />
  if (relatedId === null) return null
  if (kind === 'TASK_ADDED' && relatedType === 'TASK') return <CompleteTask record={record} id={relatedId} />
  if (relatedType === 'ACTIVITY' && data['status'] === 'PLANNED')
    return <FinishActivity record={record} id={relatedId} />
  if (kind === 'EMAIL_SENT' && relatedType === 'ACTIVITY' && replyTo)
    return (
      <div className={classes.actions}>
        <Button variant="subtle" size="compact-xs" onClick={() => replyTo(relatedId)}>
          {t('Reply')}
        </Button>
      </div>
    )
  return null
}

function CompleteTask({ record, id }: { readonly record: RecordPlace; readonly id: string }) {
  const { may } = useSession()
  const { data } = useQuery({ ...openTasksQuery(record), enabled: may('VIEW_TASK') })
  const task = data?.find((one) => one.id === id)
  const complete = useTaskStatus()
  if (task === undefined || !may('UPDATE_TASK')) return null
  return (
    <div className={classes.actions}>
      <Button
        variant="subtle"
        size="compact-xs"
        loading={complete.isPending}
        aria-label={t('Complete {title}', { title: task.title })}
        onClick={() => complete.mutate({ id, status: 'DONE' })}
      >
        {t('Complete')}
      </Button>
    </div>
  )
}

/** Marks a planned call or meeting as done, as long as it is planned. */
function FinishActivity({ record, id }: { readonly record: RecordPlace; readonly id: string }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { data: activity } = useQuery({ ...anyRecordQuery('ACTIVITY', id), enabled: may('UPDATE_ACTIVITY') })
  const finish = useMutation({
    mutationFn: () => crm.activities.update({ params: { id }, body: { status: 'DONE' } }),
    onSuccess: async ({ undoId }) => {
      offerUndo(client, t('Done'), undoId)
      const stale = ['activities', collectionOf(record.entityType)]
      await Promise.all(stale.map((key) => client.invalidateQueries({ queryKey: [key] })))
    },
    onError: notifyRefusal,
  })
  if (activity?.['status'] !== 'PLANNED') return null
  const { subject } = activity
  return (
    <div className={classes.actions}>
      <Button
        variant="subtle"
        size="compact-xs"
        loading={finish.isPending}
        aria-label={t('Mark {subject} as done', {
          subject: typeof subject === 'string' ? subject : inWords(String(activity['type'])),
        })}
        onClick={() => finish.mutate()}
      >
        {t('Mark as done')}
      </Button>
    </div>
  )
}

function NoteActions({ record, note }: { readonly record: RecordPlace; readonly note: CommentRecord }) {
  const { person } = useSession()
  const [open, setOpen] = useState<'edit' | 'reply' | null>(null)
  const isOwn = note.author.type === 'EMPLOYEE' && note.author.id === person.id
  const close = () => setOpen(null)
  if (open === 'edit')
    return (
      <NoteEditor
        record={record}
        label={t('Edit note')}
        begin={note.body}
        submit={t('Save')}
        send={(body) => crm.comments.update({ params: { id: note.id }, body: { body } })}
        onClose={close}
      />
    )
  if (open === 'reply')
    return (
      <NoteEditor
        record={record}
        label={t('Reply')}
        begin=""
        submit={t('Save reply')}
        send={(body) =>
          crm.comments.create({ body: { ...record, body, visibility: note.visibility, parentId: note.id } })
        }
        onClose={close}
      />
    )
  return (
    <div className={classes.actions}>
      <Button variant="subtle" size="compact-xs" onClick={() => setOpen('reply')}>
        {t('Reply')}
      </Button>
      {isOwn && (
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen('edit')}>
          {t('Edit')}
        </Button>
      )}
    </div>
  )
}

interface NoteEditorProps {
  readonly record: RecordPlace
  readonly label: string
  readonly begin: string
  readonly submit: string
  send(body: string): Promise<unknown>
  onClose(): void
}

function NoteEditor({ record, label, begin, submit, send, onClose }: NoteEditorProps) {
  const client = useQueryClient()
  const writing = useWriting({
    begin,
    send,
    onSent: () => {
      onClose()
      return client.invalidateQueries({ queryKey: [collectionOf(record.entityType)] })
    },
  })
  return (
    <form onSubmit={writing.onSubmit} aria-label={label} className={classes.actions}>
      <Stack gap="xs" w="100%">
        <Textarea aria-label={label} autoFocus autosize minRows={2} maxRows={12} dir="auto" {...writing.area} />
        <RefusalAlert error={writing.refusal} />
        <Group gap="xs">
          <Button size="xs" {...writing.button}>
            {submit}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
