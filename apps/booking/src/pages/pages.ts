import { mailLanguages } from '@crm/mail'
import type { Workspace } from '@crm/identity'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findByCallToken, findByManageToken } from '../bookings/bookings.repository.ts'
import { decideRoomState, roomClosesAt, roomOpensAt } from '../call/room-state.ts'
import { isSalesOn } from '../platform/context.ts'
import type { BookingDeps } from '../platform/deps.ts'
import { createWorkspaceFinder } from '../platform/find-workspace.ts'
import { findLinkOf, findOpenLink } from '../links/links.repository.ts'
import { toLinkView } from '../links/links.view.ts'
import { addAssets } from './assets.ts'
import { sendBookingFile, sendFeed } from './calendar-files.ts'
import { escapeHtml, sendPage } from './page-shell.ts'
import { pageTexts, type PageTexts } from './page-texts.ts'
import { sendPhoto } from './photos.ts'

/** A request for a page, in the language that its reader has chosen or the workspace speaks. */
interface Visit {
  readonly deps: BookingDeps
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly workspace: Workspace
  readonly language: string
  readonly texts: PageTexts
}

/** Adds the pages for guests (booking, managing and the video call) and the calendar files. */
export function addPages(app: FastifyInstance, deps: BookingDeps): void {
  const findWorkspace = createWorkspaceFinder(deps)
  const page = (
    path: string,
    show: (visit: Visit, param: string, other: string) => Promise<FastifyReply> | FastifyReply,
  ) =>
    app.get(path, async (request, reply) => {
      const workspace = await findWorkspace(request.headers.host ?? '')
      if (!workspace) return sendNotFound(reply, null)
      const params = Object.values(request.params as Readonly<Record<string, string>>)
      return show(
        { deps, request, reply, workspace, ...pageTexts(wishedLanguage(request), workspace.locale) },
        params[0] ?? '',
        params[1] ?? '',
      )
    })
  addAssets(app)
  page('/book/:slug', showBooking)
  page('/book/manage/:token', showManaging)
  page(
    '/book/manage/:token.ics',
    async (visit, token) => (await sendBookingFile(visit, token)) ?? sendNotFound(visit.reply, visit.workspace.locale),
  )
  page(
    '/book/calendar/:token.ics',
    async (visit, token) => (await sendFeed(visit, token)) ?? sendNotFound(visit.reply, visit.workspace.locale),
  )
  page(
    '/book/photo/:slug/:version',
    async (visit, slug, version) =>
      (await sendPhoto(visit, slug, version)) ?? sendNotFound(visit.reply, visit.workspace.locale),
  )
  page('/call/:token', showCall)
  for (const path of ['/book/*', '/call/*']) page(path, ({ reply, workspace }) => sendNotFound(reply, workspace.locale))
}

function wishedLanguage(request: FastifyRequest): string | undefined {
  const { lang } = request.query as { readonly lang?: unknown }
  return typeof lang === 'string' ? lang : undefined
}

/** Returns the same visit in other languages than the workspace's; a choice on the page goes before them. */
function inLanguageOf(visit: Visit, ...languages: readonly (string | null)[]): Visit {
  return { ...visit, ...pageTexts(wishedLanguage(visit.request), ...languages, visit.workspace.locale) }
}

/** Returns the languages that a browser asks for, in its order of preference. */
function browserLanguages({ headers }: FastifyRequest): string[] {
  return headers['accept-language']?.split(',').map((wish) => wish.split(';', 1)[0]?.trim() ?? '') ?? []
}

/** Answers with a page that says that nothing was found. */
function sendNotFound(reply: FastifyReply, locale: string | null): FastifyReply {
  const { language, texts } = pageTexts(locale)
  return sendPage(reply, 404, {
    language,
    title: texts.notFound,
    main: `<h1>${escapeHtml(texts.notFound)}</h1><p>${escapeHtml(texts.notFoundMore)}</p>`,
  })
}

/** Shows the page in the language of the guest's browser: the mails follow it, too. */
async function showBooking(anyVisit: Visit, slug: string): Promise<FastifyReply> {
  const visit = inLanguageOf(anyVisit, ...browserLanguages(anyVisit.request))
  const { deps, reply, workspace, language, texts } = visit
  const link = isSalesOn({ workspace }) ? await findOpenLink(deps.db, workspace.id, slug) : undefined
  if (!link) return sendNotFound(reply, workspace.locale)
  const { brand: _brand, ...view } = toLinkView(link, workspace)
  return sendPage(reply, 200, {
    language,
    title: view.name,
    main: content(texts, view.name),
    script: 'book.js',
    languages: languages(texts),
    data: { ...common(visit), link: { ...view, slug: link.slug, brand: brandOf(workspace) } },
  })
}

/** Shows the page in the language in which the guest booked. */
async function showManaging(anyVisit: Visit, token: string): Promise<FastifyReply> {
  const booking = await findByManageToken(anyVisit.deps.db, anyVisit.workspace.id, token)
  if (!booking) return sendNotFound(anyVisit.reply, anyVisit.workspace.locale)
  const visit = inLanguageOf(anyVisit, booking.inviteeLocale)
  const { reply, workspace, language, texts } = visit
  return sendPage(reply, 200, {
    language,
    title: texts.yourMeeting,
    main: content(texts, texts.yourMeeting),
    script: 'manage.js',
    languages: languages(texts),
    data: { ...common(visit), token, brand: brandOf(workspace) },
  })
}

/** Shows the page in the language of the browser, because guest and organizer use the same address. */
async function showCall(anyVisit: Visit, token: string): Promise<FastifyReply> {
  const visit = inLanguageOf(anyVisit, ...browserLanguages(anyVisit.request))
  const { deps, reply, workspace, language, texts } = visit
  const booking = await findByCallToken(deps.db, workspace.id, token)
  const link = booking && (await findLinkOf(deps.db, booking))
  if (!link) return sendNotFound(reply, workspace.locale)
  const state = decideRoomState(booking, deps.clock.now())
  const roomUrl =
    state === 'open' && booking.roomId ? deps.callProvider.roomUrl(booking.roomId, roomClosesAt(booking)) : null
  const opensAt = roomOpensAt(booking).toISOString()
  const said = {
    early: `<p class="said" role="status">${escapeHtml(texts.callOpens)} <time datetime="${opensAt}">${opensAt}</time></p>`,
    open: roomUrl
      ? `<p><a class="button main" href="${escapeHtml(roomUrl)}" rel="noreferrer">${escapeHtml(texts.callJoin)}</a></p>`
      : content(texts, ''),
    over: `<p class="said" role="status">${escapeHtml(texts.callOver)}</p>`,
    cancelled: `<p class="said" role="status">${escapeHtml(texts.cancelled)}</p>`,
  }
  const facts = `<p class="facts">${escapeHtml(texts.with)} ${escapeHtml(link.organizer.name)} · <time datetime="${booking.startAt}">${booking.startAt}</time></p>`
  const data = {
    ...common(visit),
    token,
    opensAt: state === 'early' ? opensAt : null,
    hasRoom: state === 'open' && roomUrl === null,
  }
  return sendPage(reply, 200, {
    language,
    title: link.name,
    main: heading(link.name, workspace) + facts + said[state],
    script: 'call.js',
    style: 'call.css',
    data,
  })
}

function heading(title: string, workspace: Workspace): string {
  const brand = brandOf(workspace)
  const logo = brand.logo
    ? `<img class="logo" src="${escapeHtml(brand.logo)}" alt="${escapeHtml(brand.companyName ?? '')}">`
    : ''
  const company = !logo && brand.companyName ? `<p class="company">${escapeHtml(brand.companyName)}</p>` : ''
  return `${logo}${company}<h1>${escapeHtml(title)}</h1>`
}

/** Returns the brand with a logo that is a picture: addresses that were stored before the check existed are checked here. */
function brandOf({ brand }: Workspace): Workspace['brand'] {
  const isPicture = /^(https?:\/\/|data:image\/)/i.test(brand.logo ?? '') && URL.canParse(brand.logo ?? '')
  return { ...brand, logo: isPicture ? brand.logo : null }
}

/** The place where the script puts its content, with a heading until then. */
function content(texts: PageTexts, title: string): string {
  const heading = title ? `<h1 class="waiting">${escapeHtml(title)}</h1>` : ''
  return `<div id="content">${heading}<noscript>${escapeHtml(texts.needsScript)}</noscript></div>`
}

function languages(texts: PageTexts) {
  return { label: texts.languages, codes: mailLanguages }
}

function common({ workspace, language, texts }: Visit) {
  return { language, texts, timeFormat: workspace.timeFormat, primaryColor: workspace.brand.primaryColor }
}
