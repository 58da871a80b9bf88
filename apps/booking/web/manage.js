import { nearestTimes } from './free-slots.js'
import { calendarLinks, meetingPane } from './meeting.js'
import { slotPicker } from './slot-picker.js'
import { placeOf } from './slot-state.js'
import { addressSteps } from './steps.js'
import { isZone, shownZone } from './time-zones.js'
import { applyBrand, createUi, element, readPage } from './ui.js'

const page = readPage()
const ui = createUi(page)
const { texts } = ui
const path = `manage/${encodeURIComponent(page.token)}`
const manageUrl = `${location.origin}/book/manage/${page.token}`
const steps = addressSteps()
const root = element('div', { class: 'panes', 'data-step': 'done' })
const over = { action: undefined, month: undefined, date: undefined, slot: undefined }

let booking
let picker
let meeting
let dialog

const isActive = () => booking.status === 'CONFIRMED'
const timeOf = ({ startAt, endAt, inviteeTimezone }) => ({ startAt, endAt, zone: shownZone(inviteeTimezone) })
const linkOf = () => ({ ...booking.link, brand: page.brand, manageToken: page.token })

async function load() {
  try {
    booking = await ui.call(path)
    await show(steps.now())
  } catch (refusal) {
    root.replaceChildren(element('section', {}, ui.heading(0, {}, texts.yourMeeting)))
    ui.say(refusal.message, true)
  }
}

async function show(place, focus) {
  const wasAsked = dialog !== undefined
  dialog?.remove()
  dialog = undefined
  if (place.action === 'reschedule' && isActive()) return reschedule(place, focus)
  picker = undefined
  details()
  if (place.action === 'cancel' && isActive()) askToCancel()
  // Whoever keeps the meeting goes on where they asked.
  else if (wasAsked) root.querySelector('button.danger')?.focus()
}

function details() {
  root.dataset.step = 'done'
  const link = linkOf()
  const heading = isActive() ? texts.yourMeeting : texts.cancelled
  root.replaceChildren(
    meetingPane(ui, { link, ...(isActive() ? { time: timeOf(booking) } : { former: timeOf(booking) }) }),
    element(
      'section',
      { class: 'details', 'aria-label': heading },
      ui.heading(0, { tabindex: '-1' }, heading),
      ...(isActive() ? actions(link) : [bookAgain(link)]),
    ),
  )
}

const bookAgain = ({ slug }) =>
  element('p', {}, element('a', { class: 'button', href: `/book/${encodeURIComponent(slug)}` }, texts.bookAgain))

const actions = ({ name }) => [
  element('p', {}, element('a', { class: 'button main', href: booking.joinUrl }, texts.joinCall)),
  ui.heading(1, {}, texts.addToCalendar),
  calendarLinks(ui, { name, startAt: booking.startAt, endAt: booking.endAt, joinUrl: booking.joinUrl, manageUrl }),
  ui.heading(1, {}, texts.changeOfPlans),
  element(
    'div',
    { class: 'row' },
    element(
      'button',
      { type: 'button', onclick: () => void steps.go({ action: 'reschedule' }, { focus: 'h1' }) },
      texts.reschedule,
    ),
    element(
      'button',
      { type: 'button', class: 'danger', onclick: () => void steps.go({ action: 'cancel' }) },
      texts.cancelMeeting,
    ),
  ),
]

async function reschedule(place, focus) {
  ui.say('')
  if (!picker) {
    meeting = element('section')
    picker = slotPicker(ui, {
      link: linkOf(),
      near: booking.startAt,
      steps,
      next: { label: texts.confirmNewTime, run: (slot) => void move(slot) },
      onShown: ({ hasDate, slot, timeZone }) => showMove(hasDate, slot, timeZone),
      onClosed: () => {
        void steps.go(over, { isInstead: true })
        ui.complain(texts.cannotMove)
      },
    })
    root.replaceChildren(meeting, picker.calendar, picker.times)
  }
  root.querySelector('.offer')?.remove()
  await picker.show(place, zoneOf(place), focus)
  if (focus === 'h1') root.querySelector('h1')?.focus()
}

const zoneOf = ({ tz }) => (isZone(tz) ? tz : shownZone(booking.inviteeTimezone))

function showMove(hasDate, slot, zone) {
  root.dataset.step = hasDate ? 'times' : 'days'
  const lastsMs = Date.parse(booking.endAt) - Date.parse(booking.startAt)
  const time = slot && { startAt: slot, endAt: new Date(Date.parse(slot) + lastsMs).toISOString(), zone }
  const next = meetingPane(ui, { link: linkOf(), former: { ...timeOf(booking), zone }, time, title: texts.reschedule })
  next.append(element('button', { type: 'button', onclick: () => void steps.go(over) }, texts.keepTime))
  meeting.replaceWith(next)
  meeting = next
}

async function move(newStartAt) {
  const timezone = zoneOf(steps.now())
  ui.tell(texts.loading)
  try {
    booking = (await ui.call(`${path}/reschedule`, { newStartAt, timezone })).booking
    await steps.go(over)
    ui.say(texts.moved)
    root.querySelector('h1').focus()
  } catch (refusal) {
    if (refusal.code === 'BOOKING_NOT_ACTIVE') return load()
    ui.complain(refusal.message)
    if (refusal.code === 'SLOT_TAKEN') await offerOthers(newStartAt, timezone)
  }
}

async function offerOthers(startAt, timeZone) {
  picker.forget()
  const onPick = (slot) => {
    ui.say('')
    void steps.go(placeOf(slot, timeZone), { isInstead: true, focus: '.go' })
  }
  const offer = await nearestTimes(ui, linkOf(), { startAt, timeZone, onPick })
  root.querySelector('.offer')?.remove()
  if (offer) picker.times.prepend(element('div', { class: 'offer' }, offer))
}

function askToCancel() {
  const reason = element('textarea', { id: 'reason', rows: '3', maxlength: '1000' })
  const problem = element('p', { class: 'problem', role: 'alert' })
  const keep = () => steps.back({ action: undefined })
  const yes = element(
    'button',
    { type: 'button', class: 'danger full', onclick: () => void cancel(reason.value, yes, problem) },
    texts.cancelMeeting,
  )
  dialog = element(
    'dialog',
    {
      'aria-labelledby': 'cancel-title',
      oncancel: (event) => {
        event.preventDefault()
        keep()
      },
    },
    ui.heading(1, { id: 'cancel-title' }, texts.cancelMeeting),
    element('p', {}, ui.range(booking.startAt, booking.endAt, shownZone(booking.inviteeTimezone))),
    element('label', { for: 'reason' }, texts.reason),
    element('span', { class: 'hint' }, texts.optional),
    reason,
    problem,
    element('div', { class: 'row' }, yes, element('button', { type: 'button', onclick: keep }, texts.keepMeeting)),
  )
  root.append(dialog)
  dialog.showModal()
}

async function cancel(reason, button, problem) {
  button.disabled = true
  try {
    await ui.call(`${path}/cancel`, { reason })
    booking = { ...booking, status: 'CANCELLED' }
    await steps.go(over, { isInstead: true })
    ui.tell(texts.cancelled)
    root.querySelector('h1').focus()
  } catch (refusal) {
    if (refusal.code === 'BOOKING_NOT_ACTIVE') return load()
    button.disabled = false
    problem.textContent = refusal.message
  }
}

steps.listen(show)
applyBrand(document.documentElement, page.brand.primaryColor)
document.getElementById('content').replaceChildren(ui.said, root)
void load()
