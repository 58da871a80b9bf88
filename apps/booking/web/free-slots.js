// @ts-check
import { element } from './ui.js'

const dayMs = 86_400_000
const offered = 3

/**
 * @typedef {ReturnType<typeof import('./ui.js').createUi>} Ui
 * @typedef {{ readonly slug: string, readonly manageToken?: string }} Link
 */

/**
 * Returns the free slots that begin between two instants; none when that time is over.
 *
 * @type {(ui: Ui, link: Link, fromMs: number, toMs: number) => Promise<string[]>}
 */
export async function freeSlots(ui, { slug, manageToken }, fromMs, toMs) {
  const from = Math.max(Date.now(), fromMs)
  if (from >= toMs) return []
  const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(toMs).toISOString() })
  // The guest's own meeting does not block its new time.
  if (manageToken) query.set('manageToken', manageToken)
  return (await ui.call(`${encodeURIComponent(slug)}/availability?${query}`)).slots
}

/**
 * Makes the offer of the three free times nearest to one that is gone; `onPick` receives the chosen one.
 *
 * @param {Ui} ui
 * @param {Link} link
 * @param {{ startAt: string, timeZone: string, onPick(slot: string): void }} options
 */
export async function nearestTimes(ui, link, { startAt, timeZone, onPick }) {
  const wanted = Date.parse(startAt)
  const slots = await freeSlots(ui, link, wanted - 21 * dayMs, wanted + 21 * dayMs).catch(() => [])
  /** @type {(slot: string) => number} */
  const distance = (slot) => Math.abs(Date.parse(slot) - wanted)
  const nearest = slots.toSorted((one, other) => distance(one) - distance(other)).slice(0, offered)
  if (nearest.length === 0) return undefined
  return element(
    'div',
    { class: 'nearest' },
    element('p', { id: 'nearest' }, ui.texts.nearest),
    element(
      'ul',
      { 'aria-labelledby': 'nearest' },
      nearest
        .sort()
        .map((slot) =>
          element(
            'li',
            {},
            element('button', { type: 'button', onclick: () => onPick(slot) }, ui.full(slot, timeZone)),
          ),
        ),
    ),
  )
}
