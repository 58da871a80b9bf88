import type { Workspace } from '@crm/identity'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findByCallToken } from '../bookings/bookings.repository.ts'
import { decideRoomState, roomOpensAt } from '../call/room-state.ts'
import { isSalesOn } from '../context.ts'
import type { BookingDeps } from '../deps.ts'
import { createWorkspaceFinder } from '../find-workspace.ts'
import { findLinkById, findOpenLink } from '../links/links.repository.ts'
import { toLinkView } from '../links/links.view.ts'
import { addAssets } from './assets.ts'
import { escapeHtml, sendPage } from './page-shell.ts'
import { pageTexts, type PageTexts } from './page-texts.ts'

type Show = (request: FastifyRequest, reply: FastifyReply, workspace: Workspace) => Promise<FastifyReply>

/** Adds the pages that guests see: book, manage, and the door of the video call. */
export function addPages(app: FastifyInstance, deps: BookingDeps): void {
  const findWorkspace = createWorkspaceFinder(deps)
  const withWorkspace = (show: Show) => async (request: FastifyRequest, reply: FastifyReply) => {
    const workspace = await findWorkspace(request.headers.host ?? '')
    return workspace ? show(request, reply, workspace) : sendNotFound(reply, null)
  }
  addAssets(app)
  app.get('/book/:slug', withWorkspace((request, reply, workspace) => showBooking(deps, request, reply, workspace)))
  app.get('/book/manage/:token', withWorkspace((request, reply, workspace) => showManaging(request, reply, workspace)))
  app.get('/call/:token', withWorkspace((request, reply, workspace) => showCall(deps, request, reply, workspace)))
  for (const path of ['/book/*', '/call/*']) app.get(path, withWorkspace(async (_request, reply, workspace) => sendNotFound(reply, workspace.locale)))
}

/** Answers with a page that says that there is nothing. */
export function sendNotFound(reply: FastifyReply, locale: string | null): FastifyReply {
  const { language, texts } = pageTexts(locale)
  return sendPage(reply, 404, { language, title: texts.notFound, main: `<h1>${escapeHtml(texts.notFound)}</h1><p>${escapeHtml(texts.notFoundMore)}</p>` })
}

async function showBooking(deps: BookingDeps, request: FastifyRequest, reply: FastifyReply, workspace: Workspace): Promise<FastifyReply> {
  const { slug } = request.params as { readonly slug: string }
  const link = isSalesOn({ workspace }) ? await findOpenLink(deps.db, workspace.id, slug) : undefined
  if (!link) return sendNotFound(reply, workspace.locale)
  const { language, texts } = pageTexts(workspace.locale)
  const view = toLinkView(link, workspace)
  const main = [
    heading(view.name, workspace),
    `<p class="facts">${view.durationMin} ${escapeHtml(texts.minutes)}${view.organizer.name ? ` · ${escapeHtml(texts.with)} ${escapeHtml(view.organizer.name)}` : ''}</p>`,
    view.description ? `<p class="description">${escapeHtml(view.description)}</p>` : '',
    body(texts),
  ]
  return sendPage(reply, 200, { language, title: view.name, main: main.join(''), script: 'book.js', data: { ...common(workspace, language, texts), slug: link.slug, durationMin: view.durationMin } })
}

async function showManaging(request: FastifyRequest, reply: FastifyReply, workspace: Workspace): Promise<FastifyReply> {
  const { token } = request.params as { readonly token: string }
  const { language, texts } = pageTexts(workspace.locale)
  const main = heading(texts.yourMeeting, workspace) + body(texts)
  return sendPage(reply, 200, { language, title: texts.yourMeeting, main, script: 'manage.js', data: { ...common(workspace, language, texts), token } })
}

async function showCall(deps: BookingDeps, request: FastifyRequest, reply: FastifyReply, workspace: Workspace): Promise<FastifyReply> {
  const { token } = request.params as { readonly token: string }
  const booking = await findByCallToken(deps.db, workspace.id, token)
  const link = booking && (await findLinkById(deps.db, workspace.id, booking.linkId))
  if (!link) return sendNotFound(reply, workspace.locale)
  const { language, texts } = pageTexts(workspace.locale)
  const state = decideRoomState(booking, deps.clock.now())
  const roomUrl = state === 'open' && booking.roomId ? deps.callProvider.roomUrl(booking.roomId) : null
  const opensAt = roomOpensAt(booking).toISOString()
  const said = {
    early: `<p>${escapeHtml(texts.callOpens)} <time datetime="${opensAt}">${opensAt}</time></p>`,
    open: roomUrl ? `<p><a class="button" href="${escapeHtml(roomUrl)}" rel="noreferrer">${escapeHtml(texts.callJoin)}</a></p>` : `<p>${escapeHtml(texts.callMissing)}</p>`,
    over: `<p>${escapeHtml(texts.callOver)}</p>`,
    cancelled: `<p>${escapeHtml(texts.cancelled)}</p>`,
  }
  const facts = `<p class="facts">${escapeHtml(texts.with)} ${escapeHtml(link.organizer.name)} · <time datetime="${booking.startAt}">${booking.startAt}</time></p>`
  const data = { ...common(workspace, language, texts), opensAt: state === 'early' ? opensAt : null }
  return sendPage(reply, 200, { language, title: link.name, main: `${heading(link.name, workspace)}${facts}<div role="status">${said[state]}</div>`, script: 'call.js', data })
}

function heading(title: string, { brand }: Workspace): string {
  const logo = brand.logo && URL.canParse(brand.logo) ? `<img class="logo" src="${escapeHtml(brand.logo)}" alt="${escapeHtml(brand.companyName ?? '')}">` : ''
  const company = !logo && brand.companyName ? `<p class="company">${escapeHtml(brand.companyName)}</p>` : ''
  return `${logo}${company}<h1>${escapeHtml(title)}</h1>`
}

/** Where the script puts what it shows, and what it says aloud. */
function body(texts: PageTexts): string {
  return `<p id="said" role="status"></p><div id="content"><noscript>${escapeHtml(texts.needsScript)}</noscript></div>`
}

function common(workspace: Workspace, language: string, texts: PageTexts) {
  return { language, texts, timeFormat: workspace.timeFormat, primaryColor: workspace.brand.primaryColor }
}
