import type { FastifyReply } from 'fastify'

/** A page: text that the server knows, and what its script needs. */
export interface Page {
  readonly language: string
  readonly title: string
  /** HTML of the main part; everything that comes from outside is escaped by its maker. */
  readonly main: string
  /** A script of the folder `web`; a page without one does nothing. */
  readonly script?: string
  /** Handed to the script as JSON. */
  readonly data?: Readonly<Record<string, unknown>>
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The address may hold a secret: it goes to no other site, into no search engine and into no cache. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
}

/** Answers with a page. */
export function sendPage(reply: FastifyReply, status: number, { language, title, main, script, data }: Page): FastifyReply {
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/book/assets/page.css">`,
    script ? `<script type="module" src="/book/assets/${script}"></script>` : '',
    `</head><body><main>${main}</main>`,
    data ? `<script type="application/json" id="page">${scriptJson(data)}</script>` : '',
    '</body></html>',
  ]
  return reply.code(status).headers(headers).send(html.join(''))
}

/** Text as it stands in HTML, between tags or in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

/** JSON that cannot end the element it stands in. */
function scriptJson(data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
