/** What browsers offer to pages with https alone, in a way that works on the plain http of an office network as well. */

/** Returns a new id, a UUID of version 4. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Copies a text; answers whether the browser did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  // The text is placed inside an open dialog, which would take the focus back from any element outside.
  const place = document.querySelector('[role="dialog"]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/** Does work that the tabs of a browser share, in one of them until the signal; without locks, in each. */
export async function inOneTab(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  // Types know pages with https alone.
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>
  await (locks === undefined ? work() : locks.request(name, { signal }, work))
}
