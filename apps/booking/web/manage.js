import { call, content, element, formatFull, page, say, texts } from './page.js'
import { slotPicker } from './slot-picker.js'

const path = `manage/${encodeURIComponent(page.token)}`

async function load(word = '') {
  try {
    const booking = await call(path)
    say(booking.status === 'CANCELLED' ? texts.cancelled : word)
    show(booking)
  } catch (refusal) {
    content.replaceChildren()
    say(refusal.message, true)
  }
}

function show({ status, startAt, inviteeTimezone, joinUrl, link }) {
  const isActive = status === 'CONFIRMED'
  const row = (label, value) => [element('dt', {}, label), element('dd', {}, value)]
  content.replaceChildren(
    element(
      'dl',
      {},
      ...row(texts.yourMeeting, link.name),
      ...row(texts.when, formatFull(startAt, inviteeTimezone)),
      ...(link.organizer.name ? row(texts.with, link.organizer.name) : []),
      ...(isActive ? row(texts.joinCall, element('a', { href: joinUrl }, joinUrl)) : []),
    ),
    ...(isActive
      ? [
          element(
            'div',
            { class: 'row' },
            element('button', { type: 'button', class: 'main', onclick: () => move(link) }, texts.move),
            element('button', { type: 'button', onclick: askToCancel }, texts.cancel),
          ),
        ]
      : []),
  )
}

const keep = () => element('button', { type: 'button', onclick: () => void load() }, texts.keep)

function move(link) {
  const picker = slotPicker(link.slug, (newStartAt, timezone) => void change(() => call(`${path}/reschedule`, { newStartAt, timezone }), texts.moved))
  content.replaceChildren(element('div', { class: 'row' }, keep()), picker)
}

function askToCancel() {
  const heading = element('h2', { tabindex: '-1' }, texts.cancelSure)
  const yes = element('button', { type: 'button', class: 'main', onclick: () => void change(() => call(`${path}/cancel`, {}), texts.cancelled) }, texts.yesCancel)
  content.replaceChildren(heading, element('div', { class: 'row' }, yes, keep()))
  heading.focus()
}

async function change(work, word) {
  say(texts.loading)
  try {
    await work()
    await load(word)
  } catch (refusal) {
    if (refusal.code !== 'SLOT_TAKEN') await load()
    say(refusal.message, true)
  }
}

void load()
