import { slotPicker } from './slot-picker.js'
import { applyBrand, createUi, element, readPage } from './ui.js'

const page = readPage()
const ui = createUi(page)
const { texts } = ui
const path = `manage/${encodeURIComponent(page.token)}`
const content = element('div')

async function load(word = '') {
  try {
    const booking = await ui.call(path)
    ui.say(booking.status === 'CANCELLED' ? texts.cancelled : word)
    show(booking)
  } catch (refusal) {
    content.replaceChildren()
    ui.say(refusal.message, true)
  }
}

function show({ status, startAt, endAt, inviteeTimezone, joinUrl, link }) {
  const isActive = status === 'CONFIRMED'
  const row = (label, value) => [element('dt', {}, label), element('dd', {}, value)]
  content.replaceChildren(
    element('h2', {}, link.name),
    element(
      'dl',
      {},
      row(texts.when, ui.range(startAt, endAt, inviteeTimezone)),
      link.organizer.name && row(texts.with, link.organizer.name),
      isActive && row(texts.joinCall, element('a', { href: joinUrl }, texts.callEnter)),
    ),
    ...(isActive ? [actions({ startAt, endAt, inviteeTimezone, link })] : []),
  )
}

const actions = (booking) =>
  element(
    'div',
    { class: 'row' },
    element('button', { type: 'button', class: 'main', onclick: () => move(booking) }, texts.move),
    element('button', { type: 'button', onclick: () => askToCancel(booking) }, texts.cancel),
    element('a', { class: 'button', href: `/book/manage/${page.token}.ics` }, texts.addToCalendar),
  )

const keep = () => element('button', { type: 'button', onclick: () => void load() }, texts.keep)

function move(booking, taken) {
  const { startAt, endAt, inviteeTimezone, link } = booking
  const heading = element('h2', { tabindex: '-1' }, texts.move)
  const now = element('p', { class: 'when' }, ui.range(startAt, endAt, inviteeTimezone))
  const onPick = (newStartAt, timezone) => askToMove(booking, newStartAt, timezone)
  const onClosed = () => void load(texts.cannotMove)
  content.replaceChildren(
    heading,
    now,
    element('div', { class: 'row' }, keep()),
    slotPicker(ui, {
      slug: link.slug,
      manageToken: page.token,
      zone: inviteeTimezone,
      near: startAt,
      onPick,
      onClosed,
      ...taken,
    }),
  )
  heading.focus()
}

function askToMove(booking, newStartAt, timezone) {
  const newEndAt = new Date(Date.parse(newStartAt) + Date.parse(booking.endAt) - Date.parse(booking.startAt))
  const onTaken = (news) => move(booking, { near: newStartAt, news, zone: timezone })
  const heading = element('h2', { tabindex: '-1' }, texts.moveSure)
  const yes = element(
    'button',
    {
      type: 'button',
      class: 'main',
      onclick: () => void change(() => ui.call(`${path}/reschedule`, { newStartAt, timezone }), texts.moved, onTaken),
    },
    texts.yesMove,
  )
  const other = element(
    'button',
    { type: 'button', onclick: () => move(booking, { near: newStartAt, zone: timezone }) },
    texts.pickOther,
  )
  ui.say('')
  content.replaceChildren(
    heading,
    element('p', { class: 'when' }, ui.range(newStartAt, newEndAt, timezone)),
    element('div', { class: 'row' }, yes, other, keep()),
  )
  heading.focus()
}

function askToCancel({ startAt, endAt, inviteeTimezone }) {
  const heading = element('h2', { tabindex: '-1' }, texts.cancelSure)
  const yes = element(
    'button',
    { type: 'button', class: 'main', onclick: () => void change(() => ui.call(`${path}/cancel`, {}), texts.cancelled) },
    texts.yesCancel,
  )
  content.replaceChildren(
    heading,
    element('p', { class: 'when' }, ui.range(startAt, endAt, inviteeTimezone)),
    element('div', { class: 'row' }, yes, keep()),
  )
  heading.focus()
}

async function change(work, word, onTaken) {
  ui.say(texts.loading)
  try {
    await work()
    await load(word)
  } catch (refusal) {
    if (refusal.code === 'SLOT_TAKEN') return onTaken(refusal.message)
    await load()
    ui.complain(refusal.message)
  }
}

applyBrand(document.documentElement, page.primaryColor)
document.getElementById('content').replaceChildren(ui.said, content)
void load()
