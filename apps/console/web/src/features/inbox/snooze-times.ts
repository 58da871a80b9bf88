import { dayAfter, instantOf, localTimeOf, today } from '../../base/moments.ts'
import { t } from '../../base/texts.ts'

/** A time until which a notification can be put off. */
interface SnoozeTime {
  readonly label: string
  readonly at: string
}

const evening = '18:00'
const morning = '08:00'

/** Returns the usual times until which a notification is put off, in the zone of the account. */
export function snoozeTimes(now: number): readonly SnoozeTime[] {
  const day = today(now)
  const at = (days: number, time: string) => instantOf(`${dayAfter(day, days)}T${time}`)
  const inAnHour = new Date(now + 3_600_000).toISOString()
  const isEarly = localTimeOf(new Date(now).toISOString()).slice(11) < '16:00'
  // On a Monday, next Monday is in a week.
  const untilMonday = (8 - new Date(day).getUTCDay()) % 7 || 7
  return [
    { label: t('In 1 hour'), at: inAnHour },
    ...(isEarly ? [{ label: t('This evening'), at: at(0, evening) }] : []),
    { label: t('Tomorrow'), at: at(1, morning) },
    ...(untilMonday > 1 ? [{ label: t('Next Monday'), at: at(untilMonday, morning) }] : []),
  ]
}
