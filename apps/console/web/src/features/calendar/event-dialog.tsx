import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { foreignZone, instantOf, localTimeOf } from '../../base/moments.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { t } from '../../base/texts.ts'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import type { CalendarEvent } from '../../domain/calendar/agenda-queries.ts'
import { DayInput } from '../../shell/day-input.tsx'

/** The times of an event that begins to be written: local times, or days with the last one included. */
export interface EventTimes {
  readonly allDay: boolean
  readonly start: string
  readonly end: string
}

interface EventDialogProps {
  /** The event that is edited; absent for a new one. */
  readonly event?: CalendarEvent
  /** The times of a new event. */
  readonly times?: EventTimes
  onClose(): void
}

/** Writes an event of the person's own calendar. */
export function EventDialog({ event, times = event && timesOf(event), onClose }: EventDialogProps) {
  const [allDay, setAllDay] = useState(times?.allDay ?? false)
  const save = useChange(
    (form: FormData) => {
      const body = {
        title: textIn(form, 'title'),
        busy: form.get('free') === null,
        ...wireTimes({ allDay, start: textIn(form, 'start'), end: textIn(form, 'end') }),
      }
      return event
        ? settings.calendarEvents.update({ params: { id: event.id }, body })
        : settings.calendarEvents.create({ body })
    },
    {
      said: event ? t('Event saved') : t('Event created'),
      stale: ['calendar-events'],
      onDone: onClose,
    },
  )
  const errors = fieldErrors(save.error)
  const begun = (value: string | undefined) => (value === undefined || times?.allDay !== allDay ? undefined : value)
  return (
    <FormDialog
      opened
      title={event ? t('Edit event') : t('New event')}
      submit={event ? t('Save') : t('Create event')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="title"
        label={t('Title')}
        defaultValue={event?.title}
        maxLength={200}
        required
        withAsterisk={false}
        data-autofocus
        error={errors['title']}
      />
      <Checkbox
        label={t('All day')}
        checked={allDay}
        onChange={({ currentTarget }) => setAllDay(currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DayInput
          key={`start ${allDay}`}
          usualTime={allDay ? undefined : '09:00'}
          name="start"
          label={allDay ? t('First day') : t('Start')}
          description={allDay ? undefined : foreignZone()}
          defaultValue={begun(times?.start)}
          required
          withAsterisk={false}
          error={errors['startAt'] ?? errors['startDate']}
        />
        <DayInput
          key={`end ${allDay}`}
          usualTime={allDay ? undefined : '10:00'}
          name="end"
          label={allDay ? t('Last day') : t('End')}
          description={allDay ? undefined : foreignZone()}
          defaultValue={begun(times?.end)}
          required
          withAsterisk={false}
          error={errors['endAt'] ?? errors['endDate']}
        />
      </SimpleGrid>
      <Checkbox name="free" label={t('Show me as free')} defaultChecked={event ? !event.busy : false} />
    </FormDialog>
  )
}

/** Returns the times of an event as they are written. */
export function timesOf({ allDay, startDate, endDate, startAt, endAt }: CalendarEvent): EventTimes {
  return allDay && startDate !== null && endDate !== null
    ? { allDay, start: startDate, end: endDate }
    : { allDay: false, start: localTimeOf(startAt), end: localTimeOf(endAt) }
}

/** Returns the times of an event as the API takes them. */
export function wireTimes({ allDay, start, end }: EventTimes) {
  return allDay
    ? { allDay, startDate: start, endDate: end }
    : { allDay, startAt: instantOf(start), endAt: instantOf(end) }
}
