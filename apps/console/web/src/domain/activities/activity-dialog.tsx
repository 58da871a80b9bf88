import { activityTypes } from '@crm/contract'
import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { crm } from '../../base/api.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { inWords } from '../../records/field-words.ts'
import { readFields } from '../../records/form-changes.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'

interface ActivityDialogProps {
  readonly record: RecordPlace
  readonly opened: boolean
  onClose(): void
}

/** Asks for an activity of a record: a past one, or a planned one with a time ahead. */
export function ActivityDialog({ record, opened, onClose }: ActivityDialogProps) {
  const log = useChange(
    (form: FormData) => crm.activities.create({ body: { ...readActivity(form), links: [record] } }),
    {
      said: 'The activity was logged',
      stale: [collectionOf(record.entityType)],
      onDone: onClose,
    },
  )
  const errors = fieldErrors(log.error)
  return (
    <FormDialog
      opened={opened}
      title="Log activity"
      submit="Log activity"
      isBusy={log.isPending}
      error={log.error}
      onSubmit={(form) => log.mutate(form)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <NativeSelect
          name="type"
          label="Kind"
          data-autofocus
          data={activityTypes.map((value) => ({ value, label: inWords(value) }))}
        />
        <TextInput
          name="startAt"
          type="datetime-local"
          label="When"
          description="Empty: just now"
          error={errors['startAt']}
        />
      </SimpleGrid>
      <TextInput name="subject" label="Subject" autoComplete="off" error={errors['subject']} />
      <Textarea name="body" label="Notes" rows={4} error={errors['body']} />
    </FormDialog>
  )
}

function readActivity(form: FormData) {
  const { type, startAt, subject, body } = readFields(form, ['type', 'startAt', 'subject', 'body'])
  return {
    type: activityTypes.find((known) => known === type) ?? 'OTHER',
    subject: subject || null,
    body: body || null,
    // The field shows local time.
    ...(startAt === '' ? {} : { startAt: new Date(startAt).toISOString() }),
  }
}
