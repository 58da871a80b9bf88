export { allDayBusy } from './all-day.ts'
export { freeSlots, isFree, type BusyTime, type SlotQuery, type SlotRules } from './free-slots.ts'
export type { DateOverride, LocalHours, WeeklyHours, WorkingHours } from './working-hours.ts'
export { isTimeZone, nextTimeOfDay, offsetSteps, timeZoneFor, type OffsetSteps } from './zone.ts'
