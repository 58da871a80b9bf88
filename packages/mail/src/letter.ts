import type { MailMessage } from './message.ts'

/** A labelled value; a link where the value is an address. */
export interface Row {
  readonly label: string
  readonly value: string
}

/** The look of a workspace. */
export interface LetterBrand {
  readonly companyName: string | null
  readonly logo: string | null
  readonly primaryColor: string | null
}

/** The parts of a letter, in the language of its reader. */
export interface LetterText {
  readonly language: string
  readonly opening: string
  readonly rows: readonly Row[]
  readonly links: readonly Row[]
  /** The links as buttons, where these are others; the first one is the most important. */
  readonly buttons?: readonly Row[]
  readonly closing?: string
  readonly brand?: LetterBrand
}

/** Writes a row as one line of text. */
export const asLine = ({ label, value }: Row): string => `${label}: ${value}`

const ink = '#3b55b0'
const fonts = "Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Writes a letter as text and as HTML. */
export function letterParts(letter: LetterText): Pick<MailMessage, 'text' | 'html'> {
  const { opening, rows, links, closing } = letter
  const end = closing === undefined ? [] : ['', closing]
  const text = [opening, '', ...rows.map(asLine), '', ...links.map(asLine), ...end].join('\n').trimEnd()
  return { text: `${text}\n`, html: htmlOf(letter) }
}

/** Mail programs know only tables and styles at the element; those that know more get a dark scheme and a narrow screen. */
function htmlOf({ language, opening, rows, links, buttons = links, closing, brand }: LetterText): string {
  const color = /^#[0-9a-f]{6}$/i.test(brand?.primaryColor ?? '') ? (brand?.primaryColor as string) : ink
  const cells = rows.map(
    ({ label, value }) =>
      `<tr><th class="label" scope="row" align="left" valign="top" style="padding:6px 16px 6px 0;color:#5b6370;font-weight:400;max-width:200px">${escapeHtml(label)}</th><td valign="top" style="padding:6px 0;white-space:pre-line;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  )
  const actions = buttons.map(
    ({ label, value }, at) =>
      `<a${at === 0 ? '' : ' class="button"'} href="${escapeHtml(value)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 18px;border:1px solid ${at === 0 ? color : '#c4cad4'};border-radius:6px;text-decoration:none;font-weight:600;${at === 0 ? `background:${color};color:${readableOn(color)}` : 'color:#1b1f27'}">${escapeHtml(label)}</a>`,
  )
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(opening)}</title>`,
    `<style>@media (prefers-color-scheme:dark){.page{background:#101318!important}.card{background:#1a1e26!important;border-color:${color} #343a46 #343a46!important;color:#e8eaf0!important}.label{color:#a9b0be!important}.button{color:#e8eaf0!important;border-color:#565f70!important}}@media (max-width:480px){.card{padding:20px!important}}</style></head>`,
    `<body class="page" style="margin:0;padding:24px 12px;background:#f4f5f7;font-family:${fonts};font-size:15px;line-height:1.5;color:#1b1f27">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px"><tr><td class="card" align="left" style="padding:28px 32px;background:#ffffff;border:1px solid #dfe3e8;border-top:4px solid ${color};border-radius:10px">`,
    headOf(brand),
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600">${escapeHtml(opening)}</h1><table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;font-size:15px">${cells.join('')}</table>`,
    actions.length > 0 ? `<p style="margin:0">${actions.join('')}</p>` : '',
    closing === undefined
      ? ''
      : `<p class="label" style="margin:16px 0 0;color:#5b6370;font-size:13px">${escapeHtml(closing)}</p>`,
    '</td></tr></table></td></tr></table></body></html>',
  ].join('')
}

/** Mail programs load pictures from the web only, and no data addresses. */
function headOf(brand: LetterBrand | undefined): string {
  const name = brand?.companyName ?? ''
  if (brand?.logo && /^https?:\/\//i.test(brand.logo) && URL.canParse(brand.logo))
    return `<img src="${escapeHtml(brand.logo)}" alt="${escapeHtml(name)}" height="36" style="display:block;height:36px;max-width:200px;margin:0 0 20px;border:0;font-weight:600">`
  return name ? `<p class="label" style="margin:0 0 8px;color:#5b6370;font-weight:600">${escapeHtml(name)}</p>` : ''
}

/** Returns black or white, whichever is easier to read on a colour such as #3b55b0. */
function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Writes an instant in words, in a zone that it names. */
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
