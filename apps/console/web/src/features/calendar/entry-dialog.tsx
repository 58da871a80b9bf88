import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeDay, describeInstant } from '../../base/moments.ts'
import { t } from '../../base/texts.ts'
import { Facts } from '../../shell/facts.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { notifyUndoable } from '../../shell/undo.ts'
import type { CalendarEvent } from '../../domain/calendar/agenda-queries.ts'
import type { Entry } from '../../domain/calendar/entries.ts'
import { EventDialog } from './event-dialog.tsx'
import { Dialog } from '../../shell/dialog.tsx'

/** An event with its times; one of the person's own can be changed, and one that a guest has booked can be joined. */
export function EntryDialog({ entry, onClose }: { readonly entry: Entry; onClose(): void }) {
  const { event, meeting, title, isOwn } = entry
  const [isEditing, setEditing] = useState(false)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['calendar-events'] })
  const remove = useMutation({
    mutationFn: (gone: CalendarEvent) => settings.calendarEvents.delete({ params: { id: gone.id } }),
    onSuccess: (_answer, gone) => {
      notifyUndoable(t('Event deleted'), async () => {
        await settings.calendarEvents.create({ body: bodyOfEvent(gone) })
        await refresh()
      })
      onClose()
      return refresh()
    },
  })
  if (event === undefined) return null
  if (isEditing) return <EventDialog event={event} onClose={onClose} />
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        <Facts
          facts={[
            [t('Date'), describeTimes(event)],
            [t('Availability'), event.busy ? t('Busy') : t('Free')],
            ...(meeting
              ? ([
                  [t('Email'), meeting.inviteeEmail],
                  ...(meeting.inviteePhone === null ? [] : [[t('Phone'), meeting.inviteePhone] as const]),
                  ...(meeting.note === null ? [] : [[t('Note'), meeting.note] as const]),
                ] as const)
              : []),
          ]}
        />
        {event.subscriptionId !== null && (
          <Text size="sm" c="dimmed">
            {t('From a connected calendar')}
          </Text>
        )}
        <RefusalAlert error={remove.error} />
        <Group justify="flex-end" gap="sm">
          {isOwn && (
            <>
              <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(event)}>
                {t('Delete')}
              </Button>
              <Button onClick={() => setEditing(true)}>{t('Edit')}</Button>
            </>
          )}
          {meeting && (
            <Button component="a" href={meeting.joinUrl}>
              {t('Join')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Returns the parts of an event, to make the same one again. */
function bodyOfEvent({ title, busy, allDay, startDate, endDate, startAt, endAt }: CalendarEvent) {
  const isWhole = allDay && startDate !== null && endDate !== null
  return { title, busy, ...(isWhole ? { allDay, startDate, endDate } : { startAt, endAt }) }
}

function describeTimes({ allDay, startDate, endDate, startAt, endAt }: CalendarEvent): string {
  if (!allDay || startDate === null || endDate === null)
    return `${describeInstant(startAt)} – ${describeInstant(endAt)}`
  const [first, last] = [startDate, endDate].map((date) => describeDay(`${date}T12:00:00Z`, 'UTC'))
  return first === last ? `${first}` : `${first} – ${last}`
}
