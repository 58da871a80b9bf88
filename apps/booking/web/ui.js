// The common parts of all pages and the widget: elements, texts, times in the guest's zone, and the booking API.

/** Makes an element with attributes, listeners (`onclick`) and children; false children are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (typeof value === 'boolean') made.toggleAttribute(key, value)
    else if (value !== undefined && value !== null) made.setAttribute(key, value)
  }
  made.append(...children.flat().filter((child) => child !== false && child !== undefined && child !== null))
  return made
}

/** Reads the data that the server put into a page. */
export const readPage = () => JSON.parse(document.getElementById('page').textContent)

/** A refusal of the booking API, with words for the guest. */
export class Refusal extends Error {
  constructor(error, texts) {
    const field =
      error?.code === 'VALIDATION_ERROR' ? /^(name|email|phone|note|answers)\b/.exec(error.message)?.[1] : undefined
    const words = {
      SLOT_TAKEN: texts.slotTaken,
      RATE_LIMITED: texts.tooMany,
      CALL_CREATION_FAILED: texts.callFailed,
      MANAGE_LINK_EXPIRED: texts.expired,
      BOOKING_NOT_FOUND: texts.notFound,
      LINK_NOT_FOUND: texts.notFound,
      MODULE_DISABLED: texts.notFound,
      BOOKING_NOT_ACTIVE: texts.cancelled,
      OFFLINE: texts.offline,
    }
    super(words[error?.code] ?? texts.failed)
    this.code = error?.code
    /** The field of the form that the API refused. */
    this.field = field
  }
}

/** Returns a language of the browser as a locale; none for a name such as `en-US@posix`, which a system without a language gives. */
function localesOf(name) {
  try {
    return [new Intl.Locale(name)]
  } catch {
    return []
  }
}

/** Returns the language of the page with the region that the guest's browser names for it, such as en-GB. */
function regionalLocale(language) {
  const [own] = localesOf(language)
  if (own?.region) return language
  const regional = navigator.languages.flatMap(localesOf).find((one) => one.language === own?.language && one.region)
  return regional ? `${language}-${regional.region}` : language
}

/** Returns how the guest's region tells the time, or the given way when the browser names no region. */
function regionalTimeFormat(otherwise) {
  const regional = navigator.languages.flatMap(localesOf).find(({ region }) => region)
  if (!regional) return otherwise
  const { hourCycle } = new Intl.DateTimeFormat(regional.toString(), { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h11' || hourCycle === 'h12' ? '12h' : '24h'
}

/**
 * Everything that depends on language, clock and address: `{ texts, language, timeFormat, origin, level }`; `level` is
 * the level of the highest heading.
 */
export function createUi({ texts, language, timeFormat: usual, origin = '', level = 1 }) {
  let timeFormat = regionalTimeFormat(usual)
  const locale = regionalLocale(language)
  const formats = new Map()
  const format = (options) => {
    const key = JSON.stringify(options)
    if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options))
    return formats.get(key)
  }
  const clock = () =>
    timeFormat === '12h'
      ? { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const fullDay = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }
  const said = element('p', { class: 'said', role: 'status', tabindex: '-1' })
  return {
    texts,
    language,
    /** The language with the guest's region, by which dates are written and weeks begin. */
    locale,
    origin,
    get timeFormat() {
      return timeFormat
    },
    set timeFormat(chosen) {
      timeFormat = chosen
    },
    /** Makes a heading; 0 is the highest level. */
    heading: (below, attributes, ...children) => element(`h${level + below}`, attributes, ...children),
    /** Puts values into a text such as "{label} is required." */
    fill: (text, values) => text.replaceAll(/\{(\w+)\}/g, (sign, key) => values[key] ?? sign),
    /** The element in which `say` writes. */
    said,
    /** Announces a text to everybody, including people who cannot see the page. */
    say(text, isBad = false) {
      said.textContent = text
      said.classList.toggle('bad', isBad)
      said.classList.remove('quiet')
    },
    /** Announces a text only to people who cannot see the page. */
    tell(text) {
      this.say(text)
      said.classList.add('quiet')
    },
    /** Announces an error and scrolls it into view. */
    complain(text) {
      this.say(text, true)
      said.focus({ preventScroll: true })
      said.scrollIntoView({ block: 'center' })
    },
    time: (instant, timeZone) => format({ ...clock(), timeZone }).format(new Date(instant)),
    full: (instant, timeZone) =>
      format({ ...fullDay, ...clock(), timeZone, timeZoneName: 'short' }).format(new Date(instant)),
    /** Returns day, times and zone from start to end, in words. */
    range: (startAt, endAt, timeZone) =>
      format({ ...fullDay, ...clock(), timeZone, timeZoneName: 'short' }).formatRange(
        new Date(startAt),
        new Date(endAt),
      ),
    /** Returns the offset of a zone now, such as GMT+9. */
    offset: (timeZone) =>
      format({ timeZone, timeZoneName: 'shortOffset' })
        .formatToParts(new Date())
        .find(({ type }) => type === 'timeZoneName').value,
    duration: (minutes) =>
      new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes),
    /**
     * Returns a date without time, such as 2026-06-02, with the requested parts.
     *
     * @type {(date: string, options?: Intl.DateTimeFormatOptions) => string}
     */
    date: (date, options = fullDay) => format({ ...options, timeZone: 'UTC' }).format(new Date(`${date}T12:00:00Z`)),
    /** Calls the booking API; returns `data`, or throws a Refusal. */
    async call(path, body) {
      const init =
        body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      let answer
      try {
        answer = await (await fetch(`${origin}/api/public/booking/${path}`, { ...init, credentials: 'omit' })).json()
      } catch {
        throw new Refusal({ code: 'OFFLINE' }, texts)
      }
      if (!answer.success) throw new Refusal(answer.error, texts)
      return answer.data
    },
  }
}

/** Returns the organizer's picture, or their initials where there is none or it cannot be loaded; nothing for a link that shows none. */
export function avatarOf({ showAvatar, organizer }) {
  if (!showAvatar) return false
  const initials = organizer.name ? initialsOf(organizer.name) : false
  if (!organizer.avatar) return initials
  const picture = element('img', { class: 'avatar', src: organizer.avatar, alt: '' })
  picture.addEventListener('error', () => (initials ? picture.replaceWith(initials) : picture.remove()))
  return picture
}

function initialsOf(name) {
  const words = name.trim().split(/\s+/u)
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => Array.from(word)[0] ?? '').join('')
  return element('span', { class: 'avatar', 'aria-hidden': 'true' }, initials.toLocaleUpperCase())
}

/** Applies the brand's colour, with black or white on it, whichever is readable. */
export function applyBrand(styled, primaryColor) {
  const channels = /^#(..)(..)(..)$/
    .exec(primaryColor ?? '')
    ?.slice(1)
    .map((hex) => parseInt(hex, 16) / 255)
  if (!channels) return
  const [red, green, blue] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  styled.style.setProperty('--accent', primaryColor)
  styled.style.setProperty('--on-accent', luminance > 0.179 ? '#000' : '#fff')
}
