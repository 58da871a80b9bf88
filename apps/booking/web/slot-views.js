// @ts-check
// The parts of a slot picker, made anew from its state after each step. `go` leads to another step of the visit.
import { monthOf, shiftDay, shiftMonth } from './slot-state.js'
import { element } from './ui.js'

/**
 * @import { Place, State } from './slot-state.js'
 * @typedef {ReturnType<typeof import('./ui.js').createUi>} Ui
 * @typedef {(change: Place, how?: { focus?: string }) => unknown} Go
 * @typedef {{ label: string, run(slot: string): void }} Next
 */

/**
 * Returns the day with which weeks begin, from 0 for Sunday.
 *
 * @type {(tag: string) => number}
 */
export const firstWeekdayOf = (tag) => {
  // A browser has the function, the property, or neither.
  const locale = /** @type {{ getWeekInfo?(): { firstDay: number }, weekInfo?: { firstDay: number } }} */ (
    new Intl.Locale(tag)
  )
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7
}

/**
 * Makes the name of the month between the buttons that turn to others.
 *
 * @type {(ui: Ui, state: State, go: Go) => HTMLElement}
 */
export function monthBar(ui, { month, today }, go) {
  /** @type {(by: number) => () => unknown} */
  const turn = (by) => () =>
    go(
      { month: shiftMonth(month, by), date: undefined, slot: undefined },
      { focus: by < 0 ? '.previous:enabled, .next' : '.next' },
    )
  /** @type {(name: string, label: string, text: string, by: number, disabled?: boolean) => HTMLElement} */
  const button = (name, label, text, by, disabled) =>
    element('button', { type: 'button', class: `icon ${name}`, 'aria-label': label, disabled, onclick: turn(by) }, text)
  return element(
    'div',
    { class: 'month' },
    ui.heading(1, { id: 'month' }, ui.date(`${month}-15`, { month: 'long', year: 'numeric' })),
    button('previous', ui.texts.previousMonth, '‹', -1, month <= monthOf(today)),
    button('next', ui.texts.nextMonth, '›', 1, undefined),
  )
}

/**
 * Makes the grid of a month's days; `onKey` hears of every key in it.
 *
 * @type {(ui: Ui, state: State, go: Go, onKey: (event: KeyboardEvent) => void) => HTMLElement}
 */
export function dayGrid(ui, state, go, onKey) {
  const { month, chosen } = state
  const first = firstWeekdayOf(ui.locale)
  const begin = `${month}-01`
  const lead = (new Date(begin).getUTCDay() - first + 7) % 7
  const length = Number(shiftDay(`${shiftMonth(month, 1)}-01`, -1).slice(8))
  const cells = [...Array(lead).fill(null), ...Array.from({ length }, (_, at) => shiftDay(begin, at))]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, at) => cells.slice(at * 7, at * 7 + 7))
  const sunday = '2026-02-01'
  const names = Array.from({ length: 7 }, (_, at) => shiftDay(sunday, first + at))
  const heads = names.map((day) =>
    element('th', { scope: 'col', abbr: ui.date(day, { weekday: 'long' }) }, ui.date(day, { weekday: 'short' })),
  )
  /** @type {(date: string | null) => HTMLElement} */
  const cell = (date) =>
    element(
      'td',
      { role: 'gridcell', 'aria-selected': date && String(date === chosen) },
      date && dayButton(ui, state, date, go),
    )
  return element(
    'table',
    { role: 'grid', 'aria-labelledby': 'month', onkeydown: onKey },
    element('thead', {}, element('tr', {}, heads)),
    element(
      'tbody',
      {},
      weeks.map((week) => element('tr', {}, week.map(cell))),
    ),
  )
}

/** @type {(ui: Ui, state: State, date: string, go: Go) => HTMLElement} */
function dayButton(ui, { month, days, chosen, focused, today }, date, go) {
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
      'aria-label': `${ui.date(date)}: ${free > 0 ? `${free} ${ui.texts.free}` : ui.texts.noneFree}`,
      onclick: () => free > 0 && go({ month, date, slot: undefined }, { focus: '.of-day' }),
    },
    String(Number(date.slice(8))),
  )
}

/**
 * Makes the times of the chosen day; none on a day without any. `next` is the button beside the chosen time.
 *
 * @type {(ui: Ui, state: State, go: Go, next: Next) => HTMLElement[]}
 */
export function timesOfDay(ui, state, go, next) {
  const { days, chosen } = state
  const slots = (chosen && days.get(chosen)) || []
  if (!chosen || slots.length === 0) return []
  return [
    element(
      'button',
      {
        type: 'button',
        class: 'icon back',
        'aria-label': ui.texts.back,
        onclick: () => go({ date: undefined, slot: undefined }, { focus: '.day[tabindex="0"]' }),
      },
      '‹',
    ),
    ui.heading(
      1,
      { id: 'times', class: 'of-day', tabindex: '-1' },
      ui.date(chosen, { weekday: 'long', day: 'numeric', month: 'long' }),
    ),
    element(
      'ul',
      // Firefox stops the Tab key at what scrolls, although each time in it can have the focus.
      { 'aria-labelledby': 'times', tabindex: '-1' },
      slots.map((one) => timeChoice(ui, state, one, go, next)),
    ),
  ]
}

/** @type {(ui: Ui, state: State, one: string, go: Go, next: Next) => HTMLElement} */
function timeChoice(ui, { month, chosen, slot, timeZone }, one, go, next) {
  return element(
    'li',
    {},
    element(
      'button',
      {
        type: 'button',
        class: 'time',
        'aria-label': ui.full(one, timeZone),
        'aria-pressed': String(one === slot),
        onclick: () => go({ month, date: chosen, slot: one }, { focus: '.go' }),
      },
      ui.time(one, timeZone),
    ),
    one === slot && element('button', { type: 'button', class: 'main go', onclick: () => next.run(one) }, next.label),
  )
}

/**
 * Makes the choice between the two ways to tell the time.
 *
 * @type {(ui: Ui, onChoose: (format: string) => void) => HTMLElement}
 */
export function clockChoice(ui, onChoose) {
  /** @type {(format: string) => HTMLElement} */
  const choice = (format) =>
    element(
      'label',
      {},
      element('input', {
        type: 'radio',
        name: 'time-format',
        value: format,
        checked: ui.timeFormat === format,
        onchange: () => onChoose(format),
      }),
      element('span', {}, ui.texts[`clock${format}`]),
    )
  return element(
    'div',
    { class: 'clocks', role: 'radiogroup', 'aria-label': ui.texts.timeFormat },
    choice('12h'),
    choice('24h'),
  )
}
