import { element } from './ui.js'

const dayMs = 86_400_000
/** The number of months that are searched for a first free day. */
const lookAhead = 3

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
const monthOf = (date) => date.slice(0, 7)
const shiftMonth = (month, by) =>
  new Date(Date.UTC(+month.slice(0, 4), +month.slice(5) - 1 + by, 1)).toISOString().slice(0, 7)
const shiftDay = (date, by) => new Date(Date.parse(date) + by * dayMs).toISOString().slice(0, 10)
const firstWeekday = (language) => {
  const locale = new Intl.Locale(language)
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7
}

/**
 * A month of days, then the times of the chosen day, in a zone that the guest may switch.
 * It opens at the day of `near`, or else at the first free day, and then shows `news`. `onPick(startAt, timeZone)`
 * receives the choice; `onClosed` is called when the link takes no more bookings.
 */
export function slotPicker(ui, { slug, manageToken, zone = ownZone(), near, news = '', onPick, onClosed }) {
  const { texts, language } = ui
  const root = element('div', { class: 'picker' })
  let timeZone = zone
  let today
  let month
  let days = new Map()
  let chosen
  let focused

  const localDate = (instant) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
      new Date(instant),
    )

  const load = async (wanted) => {
    // One more day is read on both sides: the month of the guest's zone does not begin with that of UTC.
    const from = Math.max(Date.now(), Date.parse(`${wanted}-01`) - dayMs)
    const to = Date.parse(`${shiftMonth(wanted, 1)}-01`) + dayMs
    if (from >= to) return new Map()
    const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
    // The guest's own meeting does not block its new time.
    if (manageToken) query.set('manageToken', manageToken)
    const { slots } = await ui.call(`${encodeURIComponent(slug)}/availability?${query}`)
    return Map.groupBy(
      slots.filter((slot) => monthOf(localDate(slot)) === wanted),
      localDate,
    )
  }

  const open = async (wanted, { tries = 1, day, news = '' } = {}) => {
    ui.say(texts.loading)
    root.setAttribute('aria-busy', 'true')
    try {
      let found = await load(wanted)
      while (found.size === 0 && --tries > 0) found = await load((wanted = shiftMonth(wanted, 1)))
      days = found
      ui.say(found.size === 0 ? texts.noTimes : news, news !== '')
    } catch (refusal) {
      if (onClosed && ['LINK_NOT_FOUND', 'MODULE_DISABLED'].includes(refusal.code)) return onClosed()
      days = new Map()
      ui.say(refusal.message, true)
    }
    root.removeAttribute('aria-busy')
    month = wanted
    chosen = days.has(day) ? day : [...days.keys()][0]
    focused = chosen ?? (monthOf(today) === month ? today : `${month}-01`)
    show()
  }

  const start = (day, said) => {
    today = localDate(new Date())
    return open(monthOf(day > today ? day : today), { tries: lookAhead, day, news: said })
  }

  const show = () =>
    root.replaceChildren(element('div', { class: 'calendar' }, monthBar(), grid(), zoneChoice()), times())

  const turn = (by) => async () => {
    await open(shiftMonth(month, by))
    root.querySelector(by < 0 ? '.previous:enabled' : '.next')?.focus()
  }

  const monthBar = () =>
    element(
      'div',
      { class: 'month' },
      element(
        'button',
        {
          type: 'button',
          class: 'icon previous',
          'aria-label': texts.previousMonth,
          disabled: month <= monthOf(today),
          onclick: turn(-1),
        },
        '‹',
      ),
      element('h2', { id: 'month', 'aria-live': 'polite' }, ui.date(`${month}-15`, { month: 'long', year: 'numeric' })),
      element('button', { type: 'button', class: 'icon next', 'aria-label': texts.nextMonth, onclick: turn(1) }, '›'),
    )

  const grid = () => {
    const first = firstWeekday(language)
    const begin = `${month}-01`
    const lead = (new Date(begin).getUTCDay() - first + 7) % 7
    const length = new Date(Date.parse(`${shiftMonth(month, 1)}-01`) - dayMs).getUTCDate()
    const cells = [...Array(lead).fill(null), ...Array.from({ length }, (_, at) => shiftDay(begin, at))]
    // Past weeks would only push the times off a small screen.
    const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, at) =>
      cells.slice(at * 7, at * 7 + 7),
    ).filter((week) => week.some((date) => date >= today))
    const sunday = '2026-02-01'
    const names = Array.from({ length: 7 }, (_, at) => shiftDay(sunday, first + at))
    return element(
      'table',
      { role: 'grid', 'aria-labelledby': 'month', onkeydown: travel },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          names.map((day) =>
            element(
              'th',
              { scope: 'col', abbr: ui.date(day, { weekday: 'long' }) },
              ui.date(day, { weekday: 'short' }),
            ),
          ),
        ),
      ),
      element(
        'tbody',
        {},
        weeks.map((week) =>
          element(
            'tr',
            {},
            week.map((date) =>
              element(
                'td',
                { role: 'gridcell', 'aria-selected': date && String(date === chosen) },
                date && dayButton(date),
              ),
            ),
          ),
        ),
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
        onclick: () => free > 0 && choose(date),
      },
      String(Number(date.slice(8))),
    )
  }

  const choose = (date) => {
    chosen = focused = date
    show()
    const heading = root.querySelector('.times h2')
    heading.focus({ preventScroll: true })
    heading.scrollIntoView({
      block: 'nearest',
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
    })
  }

  const travel = async (event) => {
    const column = (new Date(focused).getUTCDay() - firstWeekday(language) + 7) % 7
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -column, End: 6 - column }
    const months = { PageUp: -1, PageDown: 1 }
    if (!(event.key in steps) && !(event.key in months)) return
    event.preventDefault()
    // Another month is being loaded.
    if (root.hasAttribute('aria-busy')) return
    const target =
      event.key in steps ? shiftDay(focused, steps[event.key]) : `${shiftMonth(month, months[event.key])}-01`
    if (target < today && monthOf(target) <= monthOf(today)) return
    if (monthOf(target) !== month) await open(monthOf(target))
    focused = event.key in steps ? target : focused
    root.querySelector('[tabindex="0"].day')?.setAttribute('tabindex', '-1')
    const button = root.querySelector(`[data-date="${focused}"]`)
    button?.setAttribute('tabindex', '0')
    button?.focus()
  }

  const times = () => {
    const slots = days.get(chosen) ?? []
    if (slots.length === 0) return element('div', { class: 'times' })
    const choices = slots.map((slot) =>
      element(
        'li',
        {},
        element(
          'button',
          { type: 'button', 'aria-label': ui.full(slot, timeZone), onclick: () => onPick(slot, timeZone) },
          ui.time(slot, timeZone),
        ),
      ),
    )
    return element(
      'div',
      { class: 'times' },
      element(
        'h2',
        { id: 'times', tabindex: '-1' },
        ui.date(chosen, { weekday: 'long', day: 'numeric', month: 'long' }),
      ),
      element('ul', { 'aria-labelledby': 'times' }, choices),
    )
  }

  const zoneChoice = () => {
    const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
    const onchange = async (event) => {
      timeZone = event.target.value
      await start(chosen)
      root.querySelector('select').focus()
    }
    const options = zones.map((name) =>
      element('option', { value: name, selected: name === timeZone }, name.replaceAll('_', ' ')),
    )
    return element(
      'div',
      { class: 'zone' },
      element('label', { for: 'zone' }, texts.timezone),
      element('select', { id: 'zone', onchange }, options),
    )
  }

  void start(near && localDate(near), news)
  return root
}
