import { Button, TextInput } from '@mantine/core'
import classes from './booking.module.css'
import {
  hoursOf,
  isOvernight,
  onAllWorkdays,
  problemOf,
  usualHours,
  weekDays,
  withHours,
  type DateOverride,
  type Hours,
  type WeeklyHours,
} from './hours.ts'
import { t } from './texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

interface WeekEditorProps {
  readonly week: readonly WeeklyHours[]
  onChange(week: WeeklyHours[]): void
}

/** The hours of every weekday. */
export function WeekEditor({ week, onChange }: WeekEditorProps) {
  return (
    <div>
      {weekDays.map(({ day, name }) => (
        <div key={day} className={classes.day} role="group" aria-label={name}>
          <h3>{name}</h3>
          <Ranges of={name} ranges={hoursOf(week, day)} onChange={(hours) => onChange(withHours(week, day, hours))} />
          {day === 1 && (
            <Button variant="subtle" size="xs" onClick={() => onChange(onAllWorkdays(week, day))}>
              {t('Copy to weekdays')}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}

interface OverridesEditorProps {
  readonly overrides: readonly DateOverride[]
  onChange(overrides: DateOverride[]): void
}

/** Single dates with hours that differ from their weekday's; a date without hours is closed. */
export function OverridesEditor({ overrides, onChange }: OverridesEditorProps) {
  const replace = (at: number, override: DateOverride) =>
    onChange(overrides.map((other, index) => (index === at ? override : other)))
  return (
    <div>
      {overrides.map((override, at) => (
        <div key={at} className={classes.day} role="group" aria-label={override.date || t('New date')}>
          <DayInput
            aria-label={t('Date')}
            value={override.date}
            required
            onChange={(date) => replace(at, { ...override, date })}
          />
          <Ranges
            of={override.date}
            ranges={override.hours}
            onChange={(hours) => replace(at, { ...override, hours })}
          />
          <Button
            variant="subtle"
            color="red"
            size="xs"
            aria-label={t('Remove {date}', { date: override.date || t('the date') })}
            onClick={() => onChange(overrides.filter((_, index) => index !== at))}
          >
            {t('Remove')}
          </Button>
        </div>
      ))}
      <Button variant="default" size="xs" mt="sm" onClick={() => onChange([...overrides, { date: '', hours: [] }])}>
        {t('Add a date')}
      </Button>
    </div>
  )
}

interface RangesProps {
  /** The day of the hours, for people who cannot see it. */
  readonly of: string
  readonly ranges: readonly Hours[]
  onChange(ranges: Hours[]): void
}

function Ranges({ of, ranges, onChange }: RangesProps) {
  const replace = (at: number, hours: Hours) => onChange(ranges.map((other, index) => (index === at ? hours : other)))
  return (
    <div className={classes.ranges}>
      {ranges.length === 0 && <div className={classes.closed}>{t('Closed')}</div>}
      {ranges.map((hours, at) => (
        <div key={at} className={classes.range}>
          <TextInput
            aria-label={t('{of} from', { of })}
            value={hours.start}
            maxLength={5}
            onChange={(event) => replace(at, { ...hours, start: event.currentTarget.value })}
          />
          <span aria-hidden="true">–</span>
          <TextInput
            aria-label={t('{of} until', { of })}
            value={hours.end}
            maxLength={5}
            onChange={(event) => replace(at, { ...hours, end: event.currentTarget.value })}
          />
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            aria-label={t('Remove {start} to {end} on {of}', { start: hours.start, end: hours.end, of })}
            onClick={() => onChange(ranges.filter((_, index) => index !== at))}
          >
            {t('Remove')}
          </Button>
          <span className={classes.closed} role="status">
            {problemOf(hours) ?? (isOvernight(hours) ? t('until the next day') : '')}
          </span>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('Add hours on {of}', { of })}
          onClick={() => onChange([...ranges, usualHours])}
        >
          {t('Add hours')}
        </Button>
      </div>
    </div>
  )
}
