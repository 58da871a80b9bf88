import { freeSlots } from './free-slots.js'
import { zoneChoice } from './time-zones.js'
import { element } from './ui.js'

const dayMs = 86_400_000
/** The number of months that are searched for a first free day. */
const lookAhead = 3

const monthOf = (date) => date.slice(0, 7)
const shiftMonth = (month, by) =>
  new Date(Date.UTC(+month.slice(0, 4), +month.slice(5) - 1 + by, 1)).toISOString().slice(0, 7)
const shiftDay = (date, by) => new Date(Date.parse(date) + by * dayMs).toISOString().slice(0, 10)
const firstWeekday = (language) => {
  const locale = new Intl.Locale(language)
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7
}
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text))
const isMonth = (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

/** Returns the date of an instant in a zone, such as 2026-06-02. */
const localDate = (instant, timeZone) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(instant),
  )

/** Returns the step of a slot: its month and date in a zone, and itself. */
export const placeOf = (slot, timeZone) => {
  const date = localDate(slot, timeZone)
  return { month: monthOf(date), date, slot }
}

/**
 * A month of days, and the times of the chosen day. `steps` keeps what is chosen; without a choice the picker opens at the
 * day of `near`, or else at the first free day. `next` is the button beside the chosen time: `{ label, run(slot) }`.
 * `onShown` is called after each change, and `onClosed` when the link takes no more bookings.
 */
export function slotPicker(ui, { link, near, steps, next, onShown, onClosed }) {
  const { texts, language } = ui
  const calendar = element('section', { class: 'calendar', 'aria-label': texts.chooseDay })
  const times = element('section', { class: 'times', 'aria-label': texts.chooseTime })
  let timeZone
  let today
  let month
  let days = new Map()
  let chosen
  let slot
  let focused
  let loaded = ''
  let usualMonth
  let turn = 0

  const load = async (wanted) => {
    // One more day is read on both sides: the month of the guest's zone does not begin with that of UTC.
    const from = Date.parse(`${wanted}-01`) - dayMs
    const slots = await freeSlots(ui, link, from, Date.parse(`${shiftMonth(wanted, 1)}-01`) + dayMs)
    return Map.groupBy(
      slots.filter((one) => monthOf(localDate(one, timeZone)) === wanted),
      (one) => localDate(one, timeZone),
    )
  }

  const read = async (place, zone) => {
    const mine = (turn += 1)
    timeZone = zone
    today = localDate(new Date(), zone)
    const asked = askedMonth(place)
    const first = near ? localDate(near, zone) : today
    let wanted = asked ?? monthOf(first > today ? first : today)
    ui.tell(texts.loading)
    calendar.setAttribute('aria-busy', 'true')
    try {
      let found = await load(wanted)
      for (let tries = asked ? 1 : lookAhead; found.size === 0 && tries > 1; tries -= 1)
        found = await load((wanted = shiftMonth(wanted, 1)))
      if (mine !== turn) return false
      days = found
      if (found.size === 0) ui.say(texts.noTimes)
      else ui.say('')
    } catch (refusal) {
      if (mine !== turn) return false
      if (onClosed && ['LINK_NOT_FOUND', 'MODULE_DISABLED'].includes(refusal.code)) {
        onClosed()
        return false
      }
      days = new Map()
      ui.say(refusal.message, true)
    }
    calendar.removeAttribute('aria-busy')
    month = wanted
    if (!asked) usualMonth = month
    loaded = `${zone} ${month}`
    return true
  }

  const askedMonth = ({ month: wanted, date }) => (date ? monthOf(date) : wanted)

  /** Shows the steps of a visit; `focus` is the selector of the element that gets the focus. */
  const show = async (given, zone, focus) => {
    const place = {
      month: isMonth(given.month) ? given.month : undefined,
      date: isDate(given.date) ? given.date : undefined,
      slot: given.slot,
    }
    if (loaded !== `${zone} ${askedMonth(place) ?? usualMonth}` && !(await read(place, zone))) return
    const nearDay = near && localDate(near, zone)
    chosen = [place.date, nearDay].find((day) => days.has(day)) ?? [...days.keys()][0]
    slot = days.get(chosen)?.includes(place.slot) ? place.slot : undefined
    if (place.slot && !slot && !ui.said.textContent) ui.say(texts.slotTaken, true)
    focused = chosen ?? (monthOf(today) === month ? today : `${month}-01`)
    paint()
    onShown({ hasDate: Boolean(place.date && chosen), slot, timeZone })
    const wanted = focus && (calendar.querySelector(focus) ?? times.querySelector(focus))
    wanted?.focus()
  }

  const paint = () => {
    calendar.replaceChildren(monthBar(), grid(), element('div', { class: 'settings' }, zones(), clocks()))
    times.replaceChildren(...timesOfDay())
  }

  const turnTo = (by) => () =>
    steps.go(
      { month: shiftMonth(month, by), date: undefined, slot: undefined },
      { focus: by < 0 ? '.previous:enabled, .next' : '.next' },
    )

  const monthBar = () =>
    element(
      'div',
      { class: 'month' },
      ui.heading(1, { id: 'month' }, ui.date(`${month}-15`, { month: 'long', year: 'numeric' })),
      element(
        'button',
        {
          type: 'button',
          class: 'icon previous',
          'aria-label': texts.previousMonth,
          disabled: month <= monthOf(today),
          onclick: turnTo(-1),
        },
        '‹',
      ),
      element('button', { type: 'button', class: 'icon next', 'aria-label': texts.nextMonth, onclick: turnTo(1) }, '›'),
    )

  const grid = () => {
    const first = firstWeekday(language)
    const begin = `${month}-01`
    const lead = (new Date(begin).getUTCDay() - first + 7) % 7
    const length = new Date(Date.parse(`${shiftMonth(month, 1)}-01`) - dayMs).getUTCDate()
    const cells = [...Array(lead).fill(null), ...Array.from({ length }, (_, at) => shiftDay(begin, at))]
    const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, at) => cells.slice(at * 7, at * 7 + 7))
    const sunday = '2026-02-01'
    const names = Array.from({ length: 7 }, (_, at) => shiftDay(sunday, first + at))
    const heads = names.map((day) =>
      element('th', { scope: 'col', abbr: ui.date(day, { weekday: 'long' }) }, ui.date(day, { weekday: 'short' })),
    )
    const cell = (date) =>
      element('td', { role: 'gridcell', 'aria-selected': date && String(date === chosen) }, date && dayButton(date))
    return element(
      'table',
      { role: 'grid', 'aria-labelledby': 'month', onkeydown: travel },
      element('thead', {}, element('tr', {}, heads)),
      element(
        'tbody',
        {},
        weeks.map((week) => element('tr', {}, week.map(cell))),
      ),
    )
  }

  const dayButton = (date) => {
    const free = days.get(date)?.length ?? 0
    return element(
      'button',
      {
        type: 'button',
        class: 'day',
        'data-date': date,
        tabindex: date === focused ? '0' : '-1',
        'aria-disabled': free === 0 ? 'true' : undefined,
        'aria-current': date === today ? 'date' : undefined,
        'aria-pressed': free > 0 ? String(date === chosen) : undefined,
        'aria-label': `${ui.date(date)}: ${free > 0 ? `${free} ${texts.free}` : texts.noneFree}`,
        onclick: () => free > 0 && steps.go({ month, date, slot: undefined }, { focus: '.of-day' }),
      },
      String(Number(date.slice(8))),
    )
  }

  const travel = async (event) => {
    const column = (new Date(focused).getUTCDay() - firstWeekday(language) + 7) % 7
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -column, End: 6 - column }
    const months = { PageUp: -1, PageDown: 1 }
    if (!(event.key in days) && !(event.key in months)) return
    event.preventDefault()
    // Another month is being loaded.
    if (calendar.hasAttribute('aria-busy')) return
    const isDay = event.key in days
    const target = isDay ? shiftDay(focused, days[event.key]) : `${shiftMonth(month, months[event.key])}-01`
    if (target < today && monthOf(target) <= monthOf(today)) return
    if (monthOf(target) !== month) await steps.go({ month: monthOf(target), date: undefined, slot: undefined })
    focused = isDay ? target : focused
    calendar.querySelector('[tabindex="0"].day')?.setAttribute('tabindex', '-1')
    const button = calendar.querySelector(`[data-date="${focused}"]`)
    button?.setAttribute('tabindex', '0')
    button?.focus()
  }

  const timesOfDay = () => {
    const slots = days.get(chosen) ?? []
    if (slots.length === 0) return []
    return [
      element(
        'button',
        {
          type: 'button',
          class: 'icon back',
          'aria-label': texts.back,
          onclick: () => steps.go({ date: undefined, slot: undefined }, { focus: '.day[tabindex="0"]' }),
        },
        '‹',
      ),
      ui.heading(
        1,
        { id: 'times', class: 'of-day', tabindex: '-1' },
        ui.date(chosen, { weekday: 'long', day: 'numeric', month: 'long' }),
      ),
      element('ul', { 'aria-labelledby': 'times' }, slots.map(timeChoice)),
    ]
  }

  const timeChoice = (one) =>
    element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          class: 'time',
          'aria-label': ui.full(one, timeZone),
          'aria-pressed': String(one === slot),
          onclick: () => steps.go({ month, date: chosen, slot: one }, { focus: '.go' }),
        },
        ui.time(one, timeZone),
      ),
      one === slot && element('button', { type: 'button', class: 'main go', onclick: () => next.run(one) }, next.label),
    )

  const zones = () =>
    zoneChoice(ui, {
      zone: timeZone,
      onChoose: (tz) => {
        const at = slot ?? days.get(chosen)?.[0]
        const date = steps.now().date && at ? localDate(at, tz) : undefined
        const place = date ? { month: monthOf(date), date } : {}
        void steps.go({ ...place, slot, tz }, { focus: '#zone' })
      },
    })

  const clocks = () => {
    const choice = (format) =>
      element(
        'label',
        {},
        element('input', {
          type: 'radio',
          name: 'time-format',
          value: format,
          checked: ui.timeFormat === format,
          onchange: () => {
            ui.timeFormat = format
            paint()
            onShown({ hasDate: Boolean(steps.now().date && chosen), slot, timeZone })
            calendar.querySelector('.clocks input:checked').focus()
          },
        }),
        element('span', {}, texts[`clock${format}`]),
      )
    return element(
      'div',
      { class: 'clocks', role: 'radiogroup', 'aria-label': texts.timeFormat },
      choice('12h'),
      choice('24h'),
    )
  }

  return {
    calendar,
    times,
    show,
    /** Reads the free times again, because some are gone. */
    forget: () => {
      loaded = ''
    },
  }
}
