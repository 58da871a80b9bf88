import { element } from './ui.js'
import { slotPicker } from './slot-picker.js'

/** Leads from a day to a booking: pick a time, fill in the details, done. `onBooked` receives the booking. */
export function bookingFlow(ui, { slug, durationMin, onBooked }) {
  const { texts } = ui
  const root = element('div', { class: 'flow' })

  /** The guest's entries so far, kept for another time. */
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
      { novalidate: true, onsubmit: (event) => void submit(event, startAt, timeZone) },
      field('name', 'text', { required: true, maxlength: '200', autocomplete: 'name' }),
      field('email', 'text', {
        inputmode: 'email',
        autocapitalize: 'off',
        spellcheck: 'false',
        required: true,
        maxlength: '255',
        autocomplete: 'email',
      }),
      field('phone', 'tel', { maxlength: '50', autocomplete: 'tel' }),
      field('note', 'textarea', { maxlength: '1000', rows: '3' }),
      element(
        'div',
        { class: 'row' },
        element('button', { class: 'main' }, texts.book),
        element('button', { type: 'button', onclick: pickOther }, texts.pickOther),
      ),
    )
    ui.say('')
    root.replaceChildren(heading, element('p', { class: 'when' }, ui.range(startAt, endOf(startAt), timeZone)), form)
    heading.focus()
  }

  const field = (name, type, extra) => {
    const more = { id: name, name, ...extra, 'aria-describedby': `${name}-problem` }
    return [
      element('label', { for: name }, texts[name]),
      type === 'textarea'
        ? element('textarea', more, written[name])
        : element('input', { type, value: written[name], ...more }),
      element('p', { class: 'problem', id: `${name}-problem` }),
    ]
  }

  const problems = { name: texts.checkName, email: texts.checkEmail, phone: texts.checkPhone, note: texts.checkNote }

  /** Marks the wrong fields, in words of the page, and moves to the first one. */
  const mark = (form, wrong) => {
    for (const name of Object.keys(problems)) {
      const isWrong = wrong.includes(name)
      form.elements[name].setAttribute('aria-invalid', String(isWrong))
      form.querySelector(`#${name}-problem`).textContent = isWrong ? problems[name] : ''
    }
    if (wrong.length === 0) return
    ui.say(texts.checkFields, true)
    form.elements[wrong[0]].focus()
    form.elements[wrong[0]].scrollIntoView({ block: 'center' })
  }

  /** The API judges the address, because it knows domains in every script. */
  const lacking = (form) =>
    ['name', 'email']
      .filter((name) => form.elements[name].value.trim() === '')
      .concat(/.@./u.test(form.elements.email.value) || form.elements.email.value.trim() === '' ? [] : ['email'])

  const submit = async (event, startAt, timezone) => {
    event.preventDefault()
    const form = event.target
    mark(form, lacking(form))
    if (lacking(form).length > 0) return
    const button = event.target.querySelector('button')
    button.disabled = true
    ui.say(texts.loading)
    const fields = Object.fromEntries(new FormData(event.target))
    written = fields
    try {
      done(
        await ui.call(encodeURIComponent(slug), { ...fields, startAt, timezone, locale: ui.language }),
        fields.email,
        timezone,
      )
    } catch (refusal) {
      if (refusal.code === 'SLOT_TAKEN') return pick(timezone, startAt, refusal.message)
      button.disabled = false
      if (refusal.field) return mark(form, [refusal.field])
      ui.complain(refusal.message)
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
