import { activityTypes } from '@crm/contract'
import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { crm } from '../../base/api.ts'
import { foreignZone, instantOf } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { inWords } from '../../records/field-words.ts'
import { readFields } from '../../records/form-changes.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import { useChange } from '../../shell/changes.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

/** Asks for one activity of a record after the other: past ones, or planned ones with a time ahead. */
export function ActivityForm({ record }: { readonly record: RecordPlace }) {
  const [round, setRound] = useState(0)
  const log = useLogging(record, () => setRound(round + 1))
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!log.isPending) log.mutate(new FormData(event.currentTarget))
  }
  return (
    <form key={round} onSubmit={send} aria-label={t('New call or meeting')}>
      <Stack gap="xs">
        <ActivityFields errors={fieldErrors(log.error)} />
        {!isRefusedWith(log.error, 'VALIDATION_ERROR') && <RefusalAlert error={log.error} />}
        <Group>
          <Button type="submit" size="xs" loading={log.isPending}>
            {t('Log a call or meeting')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function useLogging(record: RecordPlace, onDone: () => void) {
  return useChange((form: FormData) => crm.activities.create({ body: { ...readActivity(form), links: [record] } }), {
    said: t('Activity logged'),
    stale: [collectionOf(record.entityType)],
    onDone,
  })
}

interface ActivityFieldsProps {
  readonly errors: Readonly<Record<string, string>>
}

function ActivityFields({ errors }: ActivityFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <NativeSelect
          name="type"
          label={t('Type')}
          data={activityTypes.map((value) => ({ value, label: inWords(value) }))}
        />
        <DayInput
          name="startAt"
          usualTime="09:00"
          label={t('Date and time')}
          description={[t('Empty = now'), foreignZone()].filter(Boolean).join(' · ')}
          error={errors['startAt']}
        />
      </SimpleGrid>
      <TextInput name="subject" label={t('Subject')} autoComplete="off" error={errors['subject']} />
      <Textarea name="body" label={t('Notes')} rows={3} error={errors['body']} />
    </>
  )
}

function readActivity(form: FormData) {
  const { type, startAt, subject, body } = readFields(form, ['type', 'startAt', 'subject', 'body'])
  return {
    type: activityTypes.find((known) => known === type) ?? 'OTHER',
    subject: subject || null,
    body: body || null,
    ...(startAt === '' ? {} : { startAt: instantOf(startAt) }),
  }
}
