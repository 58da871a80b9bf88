import { pageIcon } from '@crm/http'
import { createHash } from 'node:crypto'

/** Markup that may be put into a page unchanged. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | readonly Html[]

/** Returns markup with inserted values, each of them escaped unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((text, part, at) => text + markupOf(pieces[at - 1] ?? '') + part))
}

function markupOf(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(({ text }) => text).join('')
  return `${piece}`.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#d9dee6;--ground:#f5f6f8;--card:#fff;--accent:#2457d6;--warn:#fff6e0;--warn-line:#e7c667}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf2;--soft:#a3adbb;--line:#343c49;--ground:#12161c;--card:#1a2028;--accent:#7ea2ff;--warn:#2c2614;--warn-line:#6d5a1e}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:42rem;margin:2rem auto;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .75rem;overflow-wrap:anywhere}
p{margin:.5rem 0}.soft{color:var(--soft)}
.note{background:var(--warn);border:1px solid var(--warn-line);border-radius:8px;padding:.6rem .8rem;margin:1rem 0;overflow-wrap:anywhere}
.groups{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.75rem;margin:1rem 0}
fieldset{border:1px solid var(--line);border-radius:8px;padding:.4rem .8rem .6rem;margin:0;min-width:0}
legend{font-weight:600;padding:0 .3rem}
label{display:flex;gap:.5rem;align-items:baseline;padding:.15rem 0}label span{flex:1}label small{color:var(--soft);white-space:nowrap}
select,input[type=number]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.2rem .4rem;max-width:60%}input[type=number]{width:8rem}
.actions{display:flex;gap:.75rem;justify-content:flex-end;position:sticky;bottom:0;background:var(--card);padding:.75rem 0 0}
button{font:inherit;padding:.5rem 1.1rem;border-radius:8px;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--card);font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** A complete page. */
export function page(title: string, body: Html): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title>${new Html(pageIcon)}<style>${new Html(style)}</style></head><body><main>${body}</main></body></html>`
    .text
}

/**
 * The headers of a page that nobody may frame or store and that runs no script. Its form leads to the page itself, and on from there to wherever
 * the client's address leads: a policy for forms would hold for every place on that way, and nobody knows them beforehand.
 */
export function pageHeaders(): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  }
}
