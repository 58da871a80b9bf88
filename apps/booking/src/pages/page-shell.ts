import { pageIcon } from '@crm/http'
import type { FastifyReply } from 'fastify'

/** A page: text that the server knows, and the data for its script. */
export interface Page {
  readonly language: string
  readonly title: string
  /** The HTML of the main part; its maker escapes everything that comes from outside. */
  readonly main: string
  /** A script of the folder `web`; a page without one does nothing. */
  readonly script?: string
  /** A style of the folder `web` besides the one of all pages. */
  readonly style?: string
  /** The codes of the other languages of the page. */
  readonly languages?: { readonly label: string; readonly codes: readonly string[] }
  /** The data for the script, as JSON. */
  readonly data?: Readonly<Record<string, unknown>>
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The address may hold a secret: it goes to no other site, to no search engine and into no cache. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(self), microphone=(self), geolocation=()',
}

/** Answers with a page. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { language, title, main, script, style, languages, data }: Page,
): FastifyReply {
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)}</title>${pageIcon}<link rel="stylesheet" href="/book/assets/page.css">`,
    style ? `<link rel="stylesheet" href="/book/assets/${style}">` : '',
    script ? `<script type="module" src="/book/assets/${script}"></script>` : '',
    `</head><body><main>${main}</main>`,
    languages ? languageLinks(language, languages) : '',
    data ? `<script type="application/json" id="page">${scriptJson(data)}</script>` : '',
    '</body></html>',
  ]
  return reply.code(status).headers(headers).send(html.join(''))
}

/** Escapes text for HTML, between tags or in quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Returns JSON that cannot end its element. */
function scriptJson(data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}

function languageLinks(shown: string, { label, codes }: NonNullable<Page['languages']>): string {
  const links = codes.map((code) => {
    const name =
      new Intl.DisplayNames([code], { type: 'language' })
        .of(code)
        ?.replace(/^./, (first) => first.toLocaleUpperCase(code)) ?? code
    return `<li><a href="?lang=${code}" hreflang="${code}" lang="${code}"${code === shown ? ' aria-current="true"' : ''}>${escapeHtml(name)}</a></li>`
  })
  return `<footer><nav aria-label="${escapeHtml(label)}"><ul>${links.join('')}</ul></nav></footer>`
}
