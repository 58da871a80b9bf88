import type { MailMessage } from './message.ts'

/** A labelled value; a link where the value is an address. */
export interface Row {
  readonly label: string
  readonly value: string
}

/** The parts of a letter, in the language of its reader. */
export interface LetterText {
  readonly language: string
  readonly opening: string
  readonly rows: readonly Row[]
  readonly links: readonly Row[]
  readonly closing?: string
}

/** Writes a row as one line of text. */
export const asLine = ({ label, value }: Row): string => `${label}: ${value}`

/** Writes a letter as text and as HTML. */
export function letterParts({
  language,
  opening,
  rows,
  links,
  closing,
}: LetterText): Pick<MailMessage, 'text' | 'html'> {
  const end = closing === undefined ? [] : ['', closing]
  const text = [opening, '', ...rows.map(asLine), '', ...links.map(asLine), ...end].join('\n').trimEnd()
  const cells = rows.map(
    ({ label, value }) =>
      `<tr><th scope="row" align="left" valign="top" style="padding:4px 16px 4px 0">${escapeHtml(label)}</th><td style="padding:4px 0;white-space:pre-line">${escapeHtml(value)}</td></tr>`,
  )
  const anchors = links.map(({ label, value }) => `<p><a href="${escapeHtml(value)}">${escapeHtml(label)}</a></p>`)
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body style="font-family:system-ui,sans-serif;line-height:1.5">`,
    `<p>${escapeHtml(opening)}</p><table role="presentation">${cells.join('')}</table>${anchors.join('')}${closing === undefined ? '' : `<p>${escapeHtml(closing)}</p>`}</body></html>`,
  ].join('')
  return { text: `${text}\n`, html }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Writes an instant in words, in the zone of the workspace. */
export function whenInWords(
  at: string,
  {
    language,
    timezone,
    timeFormat,
  }: { readonly language: string; readonly timezone: string; readonly timeFormat: '12h' | '24h' },
): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: timezone,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: timeFormat === '12h' ? 'h12' : 'h23',
  })
  return `${format.format(new Date(at))} (${timezone})`
}
