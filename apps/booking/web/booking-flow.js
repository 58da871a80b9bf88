import { nearestTimes } from './free-slots.js'
import { guestForm } from './guest-form.js'
import { calendarLinks, meetingPane } from './meeting.js'
import { slotPicker } from './slot-picker.js'
import { placeOf } from './slot-state.js'
import { isZone, ownZone } from './time-zones.js'
import { element } from './ui.js'

/**
 * Leads from a day to a booking: pick a time, fill in the details, done. `link` is the view of the booking link with its
 * `slug`, `steps` keeps the choices, and `onBooked` receives the booking.
 */
export function bookingFlow(ui, { link, steps, onBooked }) {
  const { texts } = ui
  const root = element('div', { class: 'panes', 'data-step': 'days' })
  let meeting = element('section')
  /** The guest's entries so far, kept for another time. */
  let written = {}
  let form

  const endOf = (startAt) => new Date(Date.parse(startAt) + link.durationMin * 60_000).toISOString()
  const zoneOf = ({ tz }) => (isZone(tz) ? tz : ownZone())

  const arrange = (step, time, ...panes) => {
    if (form) written = form.entries()
    form = undefined
    root.dataset.step = step
    meeting = meetingPane(ui, { link, time, isMain: step !== 'done' })
    root.replaceChildren(meeting, ...panes)
  }

  const picker = slotPicker(ui, {
    link,
    steps,
    next: { label: texts.next, run: (slot) => void steps.go({ slot }, { isForm: true, focus: 'form' }) },
    onShown: ({ hasDate, slot, timeZone }) => {
      const time = slot && { startAt: slot, endAt: endOf(slot), zone: timeZone }
      if (steps.now().isForm && slot) return fillIn(time)
      // The picker stays in its place, so that it keeps the focus and its scroll position.
      const next = meetingPane(ui, { link, time, isMain: true })
      meeting.replaceWith(next)
      meeting = next
      root.dataset.step = hasDate ? 'times' : 'days'
    },
  })

  const show = async (place, focus) => {
    if (form || picker.calendar.parentNode !== root)
      arrange(place.date ? 'times' : 'days', undefined, picker.calendar, picker.times)
    await picker.show(place, zoneOf(place), focus)
  }

  const fillIn = (time) => {
    const made = guestForm(ui, {
      questions: link.questions,
      written,
      onSend: (fields) => void send(made, time, fields),
    })
    const heading = ui.heading(1, { tabindex: '-1' }, texts.yourDetails)
    const back = () => steps.back({ slot: time.startAt })
    arrange('form', time, formPane(ui, heading, { form: made.form, back }))
    form = made
    ui.say('')
    heading.focus()
  }

  const send = async (made, { startAt, zone: timezone }, fields) => {
    made.send.disabled = true
    ui.tell(texts.loading)
    try {
      const body = { ...fields, startAt, timezone, locale: ui.locale }
      done(await ui.call(encodeURIComponent(link.slug), body), fields.email, timezone)
    } catch (refusal) {
      made.send.disabled = false
      if (refusal.field) return made.refuse(refusal.field)
      ui.complain(refusal.message)
      if (refusal.code === 'SLOT_TAKEN') await offerOthers(made, startAt, timezone)
    }
  }

  /** Offers other times above the form, whose entries stay. */
  const offerOthers = async (made, startAt, timeZone) => {
    picker.forget()
    const onPick = (slot) => void steps.go(placeOf(slot, timeZone), { isForm: true, isInstead: true })
    const pickOther = () => void steps.go({ slot: undefined })
    const other = element('button', { type: 'button', onclick: pickOther }, texts.pickOther)
    const offer = await nearestTimes(ui, link, { startAt, timeZone, onPick })
    root.querySelector('.offer')?.remove()
    made.form.before(element('div', { class: 'offer' }, offer, other))
  }

  const done = (booking, email, zone) => {
    const { startAt, endAt, joinUrl, manageToken, confirmationEmailSent } = booking
    const manageUrl = `${ui.origin || location.origin}/book/manage/${manageToken}`
    const heading = ui.heading(0, { tabindex: '-1' }, texts.booked)
    written = {}
    form = undefined
    arrange(
      'done',
      { startAt, endAt, zone },
      donePane(ui, heading, { name: link.name, startAt, endAt, joinUrl, manageUrl }),
    )
    ui.say(confirmationEmailSent ? `${texts.mailSent} ${email}` : texts.mailNotSent, !confirmationEmailSent)
    steps.forget()
    heading.focus()
    onBooked?.(booking)
  }

  steps.listen(show)
  void show(steps.now())
  return root
}

/** Puts a heading and the way back above the form. */
function formPane(ui, heading, { form, back }) {
  const button = element('button', { type: 'button', class: 'icon', 'aria-label': ui.texts.back, onclick: back }, '‹')
  return element(
    'section',
    { class: 'details', 'aria-label': ui.texts.yourDetails },
    element('div', { class: 'head' }, button, heading),
    form,
  )
}

/** Tells a guest how to join, to note, to move and to cancel the meeting that they have booked. */
function donePane(ui, heading, meeting) {
  return element(
    'section',
    { class: 'details', 'aria-label': ui.texts.booked },
    heading,
    element('p', {}, element('a', { class: 'button main', href: meeting.joinUrl }, ui.texts.joinCall)),
    ui.heading(1, {}, ui.texts.addToCalendar),
    calendarLinks(ui, meeting),
    ui.heading(1, {}, ui.texts.changeOfPlans),
    element(
      'div',
      { class: 'row' },
      element('a', { class: 'button', href: `${meeting.manageUrl}?action=reschedule` }, ui.texts.reschedule),
      element('a', { class: 'button', href: `${meeting.manageUrl}?action=cancel` }, ui.texts.cancel),
    ),
  )
}
