import { call, element, formatDay, formatFull, formatTime, ownZone, say, texts } from './page.js'

const windowMs = 28 * 86_400_000

/** A day, then a time, in a zone that the guest may switch; `onPick(startAt, timeZone)` is told of the choice. */
export function slotPicker(slug, onPick) {
  const root = element('div')
  let timeZone = ownZone()
  let from = new Date()
  let slots = []
  let chosenDay

  const load = async () => {
    say(texts.loading)
    try {
      const query = new URLSearchParams({ from: from.toISOString(), to: new Date(from.getTime() + windowMs).toISOString() })
      slots = (await call(`${encodeURIComponent(slug)}/availability?${query}`)).slots
      chosenDay = undefined
      say(slots.length === 0 ? texts.noTimes : '')
    } catch (refusal) {
      slots = []
      say(refusal.message, true)
    }
    show()
  }

  const move = (byMs) => () => {
    from = new Date(Math.max(Date.now(), from.getTime() + byMs))
    void load()
  }

  const show = () => {
    const days = Map.groupBy(slots, (slot) => formatDay(slot, timeZone))
    root.replaceChildren(
      zoneChoice(),
      element('h2', { id: 'days' }, texts.pickDay),
      choices('days', [...days.keys()].map((day) => choice(day, day === chosenDay, () => pickDay(day)))),
      element(
        'div',
        { class: 'row' },
        element('button', { type: 'button', onclick: move(-windowMs), disabled: from.getTime() <= Date.now() }, texts.earlier),
        element('button', { type: 'button', onclick: move(windowMs) }, texts.later),
      ),
      ...(chosenDay ? timesOf(days.get(chosenDay) ?? []) : []),
    )
  }

  const pickDay = (day) => {
    chosenDay = day
    show()
    root.querySelector('#times')?.focus()
  }

  const timesOf = (times) => [
    element('h2', { id: 'times', tabindex: '-1' }, `${texts.pickTime}: ${chosenDay}`),
    choices('times', times.map((slot) => choice(formatTime(slot, timeZone), false, () => onPick(slot, timeZone), formatFull(slot, timeZone)))),
  ]

  const zoneChoice = () => {
    const zones = [...new Set([timeZone, ...Intl.supportedValuesOf('timeZone')])]
    const options = zones.map((zone) => element('option', { value: zone, selected: zone === timeZone }, zone.replaceAll('_', ' ')))
    const onchange = (event) => {
      timeZone = event.target.value
      chosenDay = undefined
      show()
      root.querySelector('select').focus()
    }
    return element('div', {}, element('label', { for: 'zone' }, texts.timezone), element('select', { id: 'zone', onchange }, ...options))
  }

  void load()
  return root
}

const choices = (labelledBy, buttons) => element('ul', { class: 'choices', 'aria-labelledby': labelledBy }, ...buttons.map((button) => element('li', {}, button)))

const choice = (text, isChosen, onclick, label) => element('button', { type: 'button', 'aria-pressed': String(isChosen), 'aria-label': label, onclick }, text)
