import { element } from './ui.js'
import { slotPicker } from './slot-picker.js'

/** From a day to a booking: pick a time, fill in the details, done. `onBooked` is told of the booking. */
export function bookingFlow(ui, { slug, durationMin, onBooked }) {
  const { texts } = ui
  const root = element('div', { class: 'flow' })

  /** What the guest has written so far, for another time. */
  let written = {}

  const endOf = (startAt) => new Date(Date.parse(startAt) + durationMin * 60_000)

  const pick = (zone, near, news) => root.replaceChildren(slotPicker(ui, { slug, zone, near, news, onPick: fillIn }))

  const fillIn = (startAt, timeZone) => {
    const heading = element('h2', { tabindex: '-1' }, texts.yourDetails)
    const pickOther = () => {
      written = Object.fromEntries(new FormData(form))
      pick(timeZone, startAt)
    }
    const form = element(
      'form',
      { onsubmit: (event) => void submit(event, startAt, timeZone) },
      field('name', 'text', { required: true, maxlength: '200', autocomplete: 'name' }),
      field('email', 'email', { required: true, maxlength: '255', autocomplete: 'email' }),
      field('phone', 'tel', { maxlength: '50', autocomplete: 'tel' }),
      field('note', 'textarea', { maxlength: '1000', rows: '3' }),
      element('div', { class: 'row' }, element('button', { class: 'main' }, texts.book), element('button', { type: 'button', onclick: pickOther }, texts.pickOther)),
    )
    ui.say('')
    root.replaceChildren(heading, element('p', { class: 'when' }, ui.range(startAt, endOf(startAt), timeZone)), form)
    heading.focus()
  }

  const field = (name, type, extra) => [
    element('label', { for: name }, texts[name]),
    type === 'textarea' ? element('textarea', { id: name, name, ...extra }, written[name]) : element('input', { id: name, name, type, value: written[name], ...extra }),
  ]

  const submit = async (event, startAt, timezone) => {
    event.preventDefault()
    const button = event.target.querySelector('button')
    button.disabled = true
    ui.say(texts.loading)
    const fields = Object.fromEntries(new FormData(event.target))
    written = fields
    try {
      done(await ui.call(encodeURIComponent(slug), { ...fields, startAt, timezone, locale: ui.language }), fields.email, timezone)
    } catch (refusal) {
      if (refusal.code === 'SLOT_TAKEN') return pick(timezone, startAt, refusal.message)
      ui.say(refusal.message, true)
      button.disabled = false
    }
  }

  const done = (booking, email, timeZone) => {
    const { startAt, endAt, joinUrl, manageToken, confirmationEmailSent } = booking
    ui.say(confirmationEmailSent ? `${texts.mailSent} ${email}` : texts.mailNotSent, !confirmationEmailSent)
    const heading = element('h2', { tabindex: '-1' }, texts.booked)
    const manage = `${ui.origin}/book/manage/${manageToken}`
    root.replaceChildren(
      heading,
      element('p', { class: 'when' }, ui.range(startAt, endAt, timeZone)),
      element(
        'ul',
        { class: 'links' },
        element('li', {}, element('a', { href: joinUrl }, texts.joinCall)),
        element('li', {}, element('a', { href: `${manage}.ics` }, texts.addToCalendar)),
        element('li', {}, element('a', { href: manage }, texts.manage)),
      ),
    )
    heading.focus()
    onBooked?.(booking)
  }

  pick()
  return root
}
