const charactersMax = 255
const fallback = 'file'

// Control characters, and characters that reverse the direction of text to disguise an extension.
// oxlint-disable-next-line eslint/no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Returns the name of a file without any path to another folder: the part after the last slash, and never dots alone. */
export function safeName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const shown = shortened(last.replaceAll(unseen, '').trim())
  return /^\.*$/.test(shown) ? fallback : shown
}

/** Shortens a long name before its extension. */
function shortened(name: string): string {
  if (name.length <= charactersMax) return name.toWellFormed()
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, charactersMax - extension.length)}${extension}`.toWellFormed()
}

/** Returns the Content-Disposition of a download: plain ASCII for old clients, and the whole name in the form of RFC 5987. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii =
    name
      .normalize('NFKD')
      .replaceAll(/[^\x20-\x7e]/g, '')
      .replaceAll(/["\\%;]/g, '_')
      .trim() || fallback
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
