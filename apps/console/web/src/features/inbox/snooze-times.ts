import { t } from '../../base/texts.ts'
/** A time until which a notification can be put off. */
interface SnoozeTime {
  readonly label: string
  readonly at: Date
}

const morning = 8

/** Returns the usual times until which a notification is put off, in the zone of the device. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  // On a Monday, next Monday is in a week.
  const untilMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: t('inbox.in1Hour'), at: new Date(now.getTime() + 3_600_000) },
    ...(now.getHours() < 16 ? [{ label: t('inbox.thisEvening'), at: at(0, 18) }] : []),
    { label: t('inbox.tomorrow'), at: at(1, morning) },
    ...(untilMonday > 1 ? [{ label: t('inbox.nextMonday'), at: at(untilMonday, morning) }] : []),
  ]
}
