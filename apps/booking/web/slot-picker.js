// @ts-check
import { freeSlots } from './free-slots.js'
import {
  askedMonth,
  daysOf,
  isUnread,
  localDate,
  monthOf,
  nothingRead,
  reduce,
  shiftMonth,
  spanOf,
  targetOf,
  validPlace,
} from './slot-state.js'
import { clockChoice, dayGrid, firstWeekdayOf, monthBar, timesOfDay } from './slot-views.js'
import { zoneChoice } from './time-zones.js'
import { element } from './ui.js'

/**
 * @import { Place, State, Step } from './slot-state.js'
 * @typedef {ReturnType<typeof import('./ui.js').createUi>} Ui
 * @typedef {{ readonly slug: string, readonly manageToken?: string }} Link
 * @typedef {{ now(): Place, go(change: Place & { tz?: string }, how?: { focus?: string }): Promise<void> | void }} Visit
 */

/** The number of months that are searched for a first free day. */
const lookAhead = 3

/**
 * A month of days, and the times of the chosen day. `steps` keeps what is chosen; without a choice the picker opens at the
 * day of `near`, or else at the first free day. `next` is the button beside the chosen time: `{ label, run(slot) }`.
 * `onShown` is called after each change, and `onClosed` when the link takes no more bookings.
 *
 * @param {Ui} ui
 * @param {{
 *   link: Link,
 *   near?: string,
 *   steps: Visit,
 *   next: { label: string, run(slot: string): void },
 *   onShown(shown: { hasDate: boolean, slot: string | undefined, timeZone: string }): void,
 *   onClosed?(): void,
 * }} options
 */
export function slotPicker(ui, { link, near, steps, next, onShown, onClosed }) {
  const { texts } = ui
  const calendar = element('section', { class: 'calendar', 'aria-label': texts.chooseDay })
  const times = element('section', { class: 'times', 'aria-label': texts.chooseTime })
  let state = nothingRead
  let turn = 0
  /** @type {(step: Step) => void} */
  const take = (step) => {
    state = reduce(state, step)
  }

  /**
   * Reads the month that a visit asks for; returns false when another visit came meanwhile, or the link is closed.
   *
   * @type {(place: Place, timeZone: string) => Promise<boolean>}
   */
  const read = async (place, timeZone) => {
    const mine = (turn += 1)
    const asked = askedMonth(place)
    take({ type: 'asked', timeZone, today: localDate(new Date(), timeZone) })
    ui.tell(texts.loading)
    calendar.setAttribute('aria-busy', 'true')
    const month = asked ?? firstMonth(near, state)
    const found = await firstFree(ui, link, { month, timeZone, tries: asked ? 1 : lookAhead })
    if (mine !== turn) return false
    if (found.refusal && onClosed && ['LINK_NOT_FOUND', 'MODULE_DISABLED'].includes(found.refusal.code)) {
      onClosed()
      return false
    }
    if (found.refusal) ui.say(found.refusal.message, true)
    else ui.say(found.days.size === 0 ? texts.noTimes : '')
    calendar.removeAttribute('aria-busy')
    take({ type: 'read', month: found.month, days: found.days, isUsual: !asked })
    return true
  }

  /**
   * Shows the steps of a visit; `focus` is the selector of the element that gets the focus.
   *
   * @type {(given: Place, timeZone: string, focus?: string) => Promise<void>}
   */
  const show = async (given, timeZone, focus) => {
    const place = validPlace(given)
    if (isUnread(state, place, timeZone) && !(await read(place, timeZone))) return
    take({ type: 'visited', place, near })
    if (place.slot && !state.slot && !ui.said.textContent) ui.say(texts.slotTaken, true)
    paint(place.date)
    const wanted = focus && (calendar.querySelector(focus) ?? times.querySelector(focus))
    wanted?.focus()
  }

  /** @type {(date: string | undefined) => void} */
  const paint = (date) => {
    calendar.replaceChildren(
      monthBar(ui, state, steps.go),
      dayGrid(ui, state, steps.go, (event) => void travel(event)),
      element('div', { class: 'settings' }, zonesOf(ui, state, steps), clockChoice(ui, tellTime)),
    )
    times.replaceChildren(...timesOfDay(ui, state, steps.go, next))
    const { chosen, slot, timeZone } = state
    onShown({ hasDate: Boolean(date && chosen), slot, timeZone })
  }

  /**
   * Moves the focus by keys, to other months too.
   *
   * @type {(event: KeyboardEvent) => Promise<void>}
   */
  const travel = async (event) => {
    const target = targetOf(state, event.key, firstWeekdayOf(ui.locale))
    if (target === undefined) return
    event.preventDefault()
    // Another month is being loaded.
    if (target === null || calendar.hasAttribute('aria-busy')) return
    if (target.month !== state.month) await steps.go({ month: target.month, date: undefined, slot: undefined })
    take({ type: 'focused', date: target.date ?? state.focused })
    calendar.querySelector('[tabindex="0"].day')?.setAttribute('tabindex', '-1')
    const button = calendar.querySelector(`[data-date="${state.focused}"]`)
    button?.setAttribute('tabindex', '0')
    button?.focus()
  }

  /** @type {(format: string) => void} */
  const tellTime = (format) => {
    ui.timeFormat = format
    paint(steps.now().date)
    calendar.querySelector('.clocks input:checked').focus()
  }

  return {
    calendar,
    times,
    show,
    /** Reads the free times again, because some are gone. */
    forget: () => take({ type: 'forgotten' }),
  }
}

/**
 * Makes the choice of the zone; the chosen day goes on with the same time in the new zone.
 *
 * @type {(ui: Ui, state: State, steps: Visit) => HTMLElement}
 */
function zonesOf(ui, { timeZone: zone, slot, days, chosen }, steps) {
  const onChoose = (/** @type {string} */ tz) => {
    const at = slot ?? (chosen && days.get(chosen)?.[0])
    const date = steps.now().date && at ? localDate(at, tz) : undefined
    void steps.go({ ...(date ? { month: monthOf(date), date } : {}), slot, tz }, { focus: '#zone' })
  }
  return zoneChoice(ui, { zone, onChoose })
}

/**
 * Returns the month at which the picker opens: that of `near`, or the present one when `near` is over.
 *
 * @type {(near: string | undefined, state: State) => string}
 */
function firstMonth(near, { today, timeZone }) {
  const first = near ? localDate(near, timeZone) : today
  return monthOf(first > today ? first : today)
}

/**
 * Reads months until one has free days, as many as `tries`; returns the last one read, without days after a refusal.
 *
 * @param {Ui} ui
 * @param {Link} link
 * @param {{ month: string, timeZone: string, tries: number }} wanted
 * @returns {Promise<{ month: string, days: State['days'], refusal?: import('./ui.js').Refusal }>}
 */
async function firstFree(ui, link, { month, timeZone, tries }) {
  let at = month
  try {
    for (let left = tries; ; left -= 1) {
      const days = daysOf(await freeSlots(ui, link, ...spanOf(at)), at, timeZone)
      if (days.size > 0 || left <= 1) return { month: at, days }
      at = shiftMonth(at, 1)
    }
  } catch (error) {
    return { month: at, days: new Map(), refusal: /** @type {import('./ui.js').Refusal} */ (error) }
  }
}
