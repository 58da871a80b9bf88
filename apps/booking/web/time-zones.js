import { element } from './ui.js'

const shownMax = 60

/** Returns the zone of the browser. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Whether the browser knows a zone. */
export const isZone = (zone) => {
  try {
    return Boolean(zone && new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** Returns a zone in which this browser can show times: the wanted one, or the browser's own. */
export const shownZone = (zone) => (isZone(zone) ? zone : ownZone())

const cityOf = (zone) => zone.split('/').at(-1).replaceAll('_', ' ')

/** Returns a text for searching: without accents, capitals and signs. */
const plain = (text) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[_/,-]/g, ' ')

/** Zones with their countries, cities and abbreviations; only the zones' names when the server cannot be reached. */
let known
const readZones = (origin) =>
  (known ??= fetch(`${origin}/book/assets/zones.json`, { credentials: 'omit' })
    .then((answer) => answer.json())
    .catch(() => Intl.supportedValuesOf('timeZone').map((name) => ({ name, words: [] })))
    // The server may know zones that this browser does not.
    .then((zones) => zones.filter(({ name }) => isZone(name))))

/** Returns the zones that a wish names, those whose city begins with it first; the zone of now is always among them. */
const find = (zones, wish, zone, language) => {
  const words = plain(wish).split(/\s+/u).filter(Boolean)
  const countries = new Intl.DisplayNames([language], { type: 'region' })
  const all = zones.some(({ name }) => name === zone) ? zones : [{ name: zone, words: [] }, ...zones]
  return all
    .map((one) => {
      const country = one.country ? countries.of(one.country) : ''
      const text = ` ${plain([one.name, country, ...one.words].join(' '))} `
      const isAll = words.every((word) => text.includes(` ${word}`))
      return { name: one.name, rank: isAll ? (plain(cityOf(one.name)).startsWith(words[0] ?? '') ? 0 : 1) : 2 }
    })
    .filter(({ rank }) => rank < 2)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, words.length > 0 ? shownMax : undefined)
}

/**
 * A combobox that searches time zones by city, country and abbreviation. An option is like "Tokyo · GMT+9 · 06:24".
 * `onChoose` receives the name of the zone.
 */
export function zoneChoice(ui, { zone, onChoose }) {
  const { texts } = ui
  let options = []
  let active = -1
  let search = 0

  const parts = (name) => {
    const offset = ui.offset(name)
    return `${cityOf(name)} · ${offset} · ${ui.time(Date.now(), name)}`
  }

  const input = element('input', {
    id: 'zone',
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-expanded': 'false',
    'aria-controls': 'zones',
    'aria-autocomplete': 'list',
    value: parts(zone),
    onfocus: () => input.select(),
    onclick: () => void open(''),
    oninput: () => void open(input.value),
    onkeydown: (event) => press(event),
    onblur: () => close(),
  })
  const list = element('ul', { id: 'zones', role: 'listbox', 'aria-label': texts.timezone, hidden: true })
  // A press on an option must not take the focus away from the input before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault())

  const open = async (wish) => {
    const turn = (search += 1)
    const found = find(await readZones(ui.origin), wish, zone, ui.language)
    if (turn !== search || !input.matches(':focus')) return
    options = found
    active = wish === '' ? options.findIndex(({ name }) => name === zone) : found.length > 0 ? 0 : -1
    list.replaceChildren(
      ...options.map(({ name }, at) =>
        element(
          'li',
          { id: `zone-${at}`, role: 'option', 'aria-selected': String(name === zone), onclick: () => choose(name) },
          parts(name),
        ),
      ),
      ...(found.length === 0
        ? [element('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, texts.noZone)]
        : []),
    )
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    point()
  }

  const point = () => {
    for (const [at, option] of [...list.children].entries()) option.classList.toggle('active', at === active)
    const chosen = active < 0 ? null : list.children[active]
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id)
    else input.removeAttribute('aria-activedescendant')
    chosen?.scrollIntoView({ block: 'nearest' })
  }

  const close = () => {
    search += 1
    list.hidden = true
    active = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    input.value = parts(zone)
  }

  const choose = (name) => {
    close()
    if (name !== zone) onChoose(name)
  }

  const press = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) {
      event.preventDefault()
      if (list.hidden) return void open('')
      if (options.length > 0) active = (active + by + options.length) % options.length
      point()
    } else if (event.key === 'Enter' && !list.hidden) {
      event.preventDefault()
      if (options[active]) choose(options[active].name)
    } else if (event.key === 'Escape' && !list.hidden) {
      event.stopPropagation()
      close()
    }
  }

  return element('div', { class: 'zone' }, element('label', { for: 'zone' }, texts.timezone), input, list)
}
