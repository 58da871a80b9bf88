// What a slot picker shows, as data: each step gives a new state, and nothing here touches the page.

const dayMs = 86_400_000

export const monthOf = (date) => date.slice(0, 7)
export const shiftMonth = (month, by) =>
  new Date(Date.UTC(+month.slice(0, 4), +month.slice(5) - 1 + by, 1)).toISOString().slice(0, 7)
export const shiftDay = (date, by) => new Date(Date.parse(date) + by * dayMs).toISOString().slice(0, 10)
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text))
const isMonth = (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

/** Returns the date of an instant in a zone, such as 2026-06-02. */
export const localDate = (instant, timeZone) => {
  // How a language writes a date differs from browser to browser; its parts do not.
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(instant))
  const part = (type) => parts.find((one) => one.type === type).value
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** Returns the step of a slot: its month and date in a zone, and itself. */
export const placeOf = (slot, timeZone) => {
  const date = localDate(slot, timeZone)
  return { month: monthOf(date), date, slot }
}

/** Returns the steps of a visit without those that are none. */
export const validPlace = ({ month, date, slot }) => ({
  month: isMonth(month) ? month : undefined,
  date: isDate(date) ? date : undefined,
  slot,
})

/** Returns the month that a visit asks for; undefined when it asks for none. */
export const askedMonth = ({ month, date }) => (date ? monthOf(date) : month)

/** Returns the instants, in milliseconds, between which the slots of a month in any zone begin. */
export const spanOf = (month) => [
  // One more day is read on both sides: the month of the guest's zone does not begin with that of UTC.
  Date.parse(`${month}-01`) - dayMs,
  Date.parse(`${shiftMonth(month, 1)}-01`) + dayMs,
]

/** Returns the slots of a month by their dates in a zone. */
export const daysOf = (slots, month, timeZone) =>
  Map.groupBy(
    slots.filter((slot) => monthOf(localDate(slot, timeZone)) === month),
    (slot) => localDate(slot, timeZone),
  )

/**
 * The picker before anything is read. `days` holds the slots of `month` by date in `timeZone`; `chosen` is a day, `slot` one of its
 * times, and `focused` the day that keys move from. `usualMonth` is shown to whoever asks for none, and `read` names what was read.
 */
export const nothingRead = {
  timeZone: undefined,
  today: undefined,
  month: undefined,
  usualMonth: undefined,
  days: new Map(),
  chosen: undefined,
  slot: undefined,
  focused: undefined,
  read: undefined,
}

/** Whether a visit is about another month or zone than the one that was read. */
export const isUnread = ({ read, usualMonth }, place, timeZone) =>
  read?.timeZone !== timeZone || read.month !== (askedMonth(place) ?? usualMonth)

const steps = {
  /** The guest's zone, and the day that it is there. */
  asked: (state, { timeZone, today }) => ({ ...state, timeZone, today }),
  /** The free times of a month; none when they could not be read. */
  read: (state, { month, days, isUsual }) => ({
    ...state,
    month,
    days,
    usualMonth: isUsual ? month : state.usualMonth,
    read: { timeZone: state.timeZone, month },
  }),
  /** The day and the time of a visit, or else the day of `near`, or else the first free one. */
  visited: (state, { place, near }) => {
    const { days, month, today, timeZone } = state
    const nearDay = near && localDate(near, timeZone)
    const chosen = [place.date, nearDay].find((day) => days.has(day)) ?? [...days.keys()][0]
    return {
      ...state,
      chosen,
      slot: days.get(chosen)?.includes(place.slot) ? place.slot : undefined,
      focused: chosen ?? (monthOf(today) === month ? today : `${month}-01`),
    }
  },
  focused: (state, { date }) => ({ ...state, focused: date }),
  /** The free times are read again with the next visit, because some are gone. */
  forgotten: (state) => ({ ...state, read: undefined }),
}

/** Returns the state after a step, such as `{ type: 'focused', date: '2026-06-02' }`. */
export const reduce = (state, step) => steps[step.type](state, step)

/**
 * Returns where a key leads from the focused day: a month and a date in it, which is undefined for a key that only turns to another month.
 * Returns null for a key that would lead into the past, and undefined for a key that leads nowhere.
 */
export const targetOf = ({ focused, month, today }, key, firstWeekday) => {
  const column = (new Date(focused).getUTCDay() - firstWeekday + 7) % 7
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -column, End: 6 - column }
  const months = { PageUp: -1, PageDown: 1 }
  if (!(key in days) && !(key in months)) return undefined
  const date = key in days ? shiftDay(focused, days[key]) : `${shiftMonth(month, months[key])}-01`
  if (date < today && monthOf(date) <= monthOf(today)) return null
  return { month: monthOf(date), date: key in days ? date : undefined }
}
