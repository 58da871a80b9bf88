// What all pages share: the data the server gave, words, times, the API, and small ways to build elements.

export const page = JSON.parse(document.getElementById('page').textContent)
export const { texts } = page
export const content = document.getElementById('content')

const hourCycle = page.timeFormat === '12h' ? 'h12' : 'h23'
const said = document.getElementById('said')

/** Says something to everybody, also to those who do not see the page. */
export function say(text, isBad = false) {
  said.textContent = text
  said.classList.toggle('bad', isBad)
}

/** An element with attributes, properties that begin with `on`, and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (typeof value === 'boolean') made.toggleAttribute(key, value)
    else if (value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

export const formatTime = (instant, timeZone) =>
  new Intl.DateTimeFormat(page.language, { timeZone, hour: 'numeric', minute: '2-digit', hourCycle }).format(new Date(instant))

export const formatDay = (instant, timeZone) =>
  new Intl.DateTimeFormat(page.language, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(new Date(instant))

export const formatFull = (instant, timeZone) =>
  new Intl.DateTimeFormat(page.language, { timeZone, weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', hourCycle, timeZoneName: 'short' }).format(new Date(instant))

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const words = {
  SLOT_TAKEN: texts.slotTaken,
  RATE_LIMITED: texts.tooMany,
  CALL_CREATION_FAILED: texts.callFailed,
  MANAGE_LINK_EXPIRED: texts.expired,
  BOOKING_NOT_FOUND: texts.notFound,
  LINK_NOT_FOUND: texts.notFound,
  MODULE_DISABLED: texts.notFound,
  BOOKING_NOT_ACTIVE: texts.cancelled,
}

/** A refusal of the booking API with words for the guest. */
export class Refusal extends Error {
  constructor(error) {
    super(words[error?.code] ?? (error?.code === 'VALIDATION_ERROR' ? error.message : texts.failed))
    this.code = error?.code
  }
}

/** Calls the booking API; gives `data`, or throws a Refusal. */
export async function call(path, body) {
  const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  let answer
  try {
    answer = await (await fetch(`/api/public/booking/${path}`, init)).json()
  } catch {
    throw new Refusal()
  }
  if (!answer.success) throw new Refusal(answer.error)
  return answer.data
}

/** Takes over the colour of the brand, with black or white on it, whichever can be read. */
function applyBrand() {
  const channels = /^#(..)(..)(..)$/.exec(page.primaryColor ?? '')?.slice(1).map((hex) => parseInt(hex, 16) / 255)
  if (!channels) return
  const [red, green, blue] = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  document.documentElement.style.setProperty('--accent', page.primaryColor)
  document.documentElement.style.setProperty('--on-accent', luminance > 0.179 ? '#000' : '#fff')
}

applyBrand()
