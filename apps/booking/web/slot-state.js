// @ts-check
// What a slot picker shows, as data: each step gives a new state, and nothing here touches the page.

/**
 * The steps of a visit: a month, a date in it, and one of its slots.
 *
 * @typedef {{ month?: string, date?: string, slot?: string }} Place
 */

/**
 * What is shown. `days` holds the slots of `month` by date in `timeZone`; `chosen` is a day, `slot` one of its times, and `focused` the day
 * that keys move from. `usualMonth` is shown to whoever asks for none, and `read` names what was read.
 *
 * @typedef {object} State
 * @property {string} timeZone
 * @property {string} today
 * @property {string} month
 * @property {string | undefined} usualMonth
 * @property {ReadonlyMap<string, readonly string[]>} days
 * @property {string | undefined} chosen
 * @property {string | undefined} slot
 * @property {string} focused
 * @property {{ readonly timeZone: string, readonly month: string } | undefined} read
 */

/**
 * What happens to it.
 *
 * @typedef {{ type: 'asked', timeZone: string, today: string }
 *   | { type: 'read', month: string, days: State['days'], isUsual: boolean }
 *   | { type: 'visited', place: Place, near?: string }
 *   | { type: 'focused', date: string }
 *   | { type: 'forgotten' }} Step
 */

const dayMs = 86_400_000

/** @type {(date: string) => string} */
export const monthOf = (date) => date.slice(0, 7)
/** @type {(month: string, by: number) => string} */
export const shiftMonth = (month, by) =>
  new Date(Date.UTC(+month.slice(0, 4), +month.slice(5) - 1 + by, 1)).toISOString().slice(0, 7)
/** @type {(date: string, by: number) => string} */
export const shiftDay = (date, by) => new Date(Date.parse(date) + by * dayMs).toISOString().slice(0, 10)
/** @type {(text: string | undefined) => boolean} */
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
/** @type {(text: string | undefined) => boolean} */
const isMonth = (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

/**
 * Returns the date of an instant in a zone, such as 2026-06-02.
 *
 * @type {(instant: string | Date, timeZone: string) => string}
 */
export const localDate = (instant, timeZone) => {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit', numberingSystem: 'latn' }
  const parts = new Intl.DateTimeFormat('en', options).formatToParts(new Date(instant))
  /** @type {(wanted: string) => string | undefined} */
  const valueOf = (wanted) => parts.find(({ type }) => type === wanted)?.value
  return `${valueOf('year')}-${valueOf('month')}-${valueOf('day')}`
}

/**
 * Returns the step of a slot: its month and date in a zone, and itself.
 *
 * @type {(slot: string, timeZone: string) => Required<Place>}
 */
export const placeOf = (slot, timeZone) => {
  const date = localDate(slot, timeZone)
  return { month: monthOf(date), date, slot }
}

/**
 * Returns the steps of a visit without those that are none.
 *
 * @type {(place: Place) => Place}
 */
export const validPlace = ({ month, date, slot }) => ({
  month: isMonth(month) ? month : undefined,
  date: isDate(date) ? date : undefined,
  slot,
})

/**
 * Returns the month that a visit asks for; undefined when it asks for none.
 *
 * @type {(place: Place) => string | undefined}
 */
export const askedMonth = ({ month, date }) => (date ? monthOf(date) : month)

/**
 * Returns the instants, in milliseconds, between which the slots of a month in any zone begin.
 *
 * @type {(month: string) => [from: number, to: number]}
 */
export const spanOf = (month) => [
  // One more day is read on both sides: the month of the guest's zone does not begin with that of UTC.
  Date.parse(`${month}-01`) - dayMs,
  Date.parse(`${shiftMonth(month, 1)}-01`) + dayMs,
]

/**
 * Returns the slots of a month by their dates in a zone.
 *
 * @type {(slots: readonly string[], month: string, timeZone: string) => Map<string, string[]>}
 */
export const daysOf = (slots, month, timeZone) =>
  Map.groupBy(
    slots.filter((slot) => monthOf(localDate(slot, timeZone)) === month),
    (slot) => localDate(slot, timeZone),
  )

/**
 * The picker before anything is read.
 *
 * @type {State}
 */
export const nothingRead = {
  timeZone: '',
  today: '',
  month: '',
  usualMonth: undefined,
  days: new Map(),
  chosen: undefined,
  slot: undefined,
  focused: '',
  read: undefined,
}

/**
 * Whether a visit is about another month or zone than the one that was read.
 *
 * @type {(state: State, place: Place, timeZone: string) => boolean}
 */
export const isUnread = ({ read, usualMonth }, place, timeZone) =>
  read?.timeZone !== timeZone || read.month !== (askedMonth(place) ?? usualMonth)

/** @type {{ readonly [Type in Step['type']]: (state: State, step: Extract<Step, { type: Type }>) => State }} */
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
    const chosen = [place.date, nearDay].find((day) => day && days.has(day)) ?? [...days.keys()][0]
    const slots = (chosen && days.get(chosen)) || []
    return {
      ...state,
      chosen,
      slot: slots.find((slot) => slot === place.slot),
      focused: chosen ?? (monthOf(today) === month ? today : `${month}-01`),
    }
  },
  focused: (state, { date }) => ({ ...state, focused: date }),
  /** The free times are read again with the next visit, because some are gone. */
  forgotten: (state) => ({ ...state, read: undefined }),
}

/**
 * Returns the state after a step, such as `{ type: 'focused', date: '2026-06-02' }`.
 *
 * @template {Step['type']} Type
 * @param {State} state
 * @param {Extract<Step, { type: Type }>} step
 * @returns {State}
 */
export const reduce = (state, step) => steps[step.type](state, step)

/**
 * Returns where a key leads from the focused day: a month and a date in it, which is undefined for a key that only turns to another month.
 * Returns null for a key that would lead into the past, and undefined for a key that leads nowhere.
 *
 * @param {Pick<State, 'focused' | 'month' | 'today'>} state
 * @param {string} key
 * @param {number} firstWeekday from 0 for Sunday
 * @returns {{ month: string, date: string | undefined } | null | undefined}
 */
export const targetOf = ({ focused, month, today }, key, firstWeekday) => {
  const column = (new Date(focused).getUTCDay() - firstWeekday + 7) % 7
  const byDays = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -column, End: 6 - column }
  const days = new Map(Object.entries(byDays)).get(key)
  const months = new Map([
    ['PageUp', -1],
    ['PageDown', 1],
  ]).get(key)
  if (days === undefined && months === undefined) return undefined
  const date = days === undefined ? `${shiftMonth(month, months ?? 0)}-01` : shiftDay(focused, days)
  if (date < today && monthOf(date) <= monthOf(today)) return null
  return { month: monthOf(date), date: days === undefined ? undefined : date }
}
