import { call, content, element, formatFull, page, say, texts } from './page.js'
import { slotPicker } from './slot-picker.js'

function pick() {
  content.replaceChildren(slotPicker(page.slug, fillIn))
}

function fillIn(startAt, timeZone) {
  const field = (name, type, extra = {}) => [
    element('label', { for: name }, texts[name]),
    type === 'textarea' ? element('textarea', { id: name, name, ...extra }) : element('input', { id: name, name, type, ...extra }),
  ]
  const heading = element('h2', { tabindex: '-1' }, texts.yourDetails)
  const form = element(
    'form',
    { onsubmit: (event) => void submit(event, startAt, timeZone) },
    ...field('name', 'text', { required: true, maxlength: '200', autocomplete: 'name' }),
    ...field('email', 'email', { required: true, maxlength: '255', autocomplete: 'email' }),
    ...field('phone', 'tel', { maxlength: '50', autocomplete: 'tel' }),
    ...field('note', 'textarea', { maxlength: '1000' }),
    element('div', { class: 'row' }, element('button', { class: 'main' }, texts.book), element('button', { type: 'button', onclick: pick }, texts.pickTime)),
  )
  say('')
  content.replaceChildren(heading, element('p', {}, formatFull(startAt, timeZone)), form)
  heading.focus()
}

async function submit(event, startAt, timezone) {
  event.preventDefault()
  const button = event.target.querySelector('button')
  button.disabled = true
  say(texts.loading)
  const { email, ...fields } = Object.fromEntries(new FormData(event.target))
  try {
    show(await call(encodeURIComponent(page.slug), { ...fields, email, startAt, timezone, locale: page.language }), email, timezone)
  } catch (refusal) {
    if (refusal.code === 'SLOT_TAKEN') pick()
    say(refusal.message, true)
    button.disabled = false
  }
}

function show({ startAt, joinUrl, manageToken, confirmationEmailSent }, email, timeZone) {
  say(confirmationEmailSent ? `${texts.mailSent} ${email}` : texts.mailNotSent, !confirmationEmailSent)
  const heading = element('h2', { tabindex: '-1' }, texts.booked)
  content.replaceChildren(
    heading,
    element('p', {}, formatFull(startAt, timeZone)),
    element('p', {}, element('a', { href: joinUrl }, texts.joinCall)),
    element('p', {}, element('a', { href: `/book/manage/${manageToken}` }, texts.manage)),
  )
  heading.focus()
}

pick()
