import { ApiError } from '@crm/errors'
import type { FastifyRequest } from 'fastify'
import type { Step } from '../exchange.ts'

/** Requires that a change with a cookie comes from the workspace's own pages; other sites cannot use a person's session. */
export const checkOrigin: Step = ({ declared, request, recognition }) => {
  const { workspace, caller } = recognition
  if (declared.operation.method === 'GET' || !workspace) return
  const carriesCookie = caller?.isAmbient ?? declared.resource.surface === 'settings'
  if (!carriesCookie) return
  // Programs may sign in and use links from mails; what uses a session says where it comes from.
  if (isOwnOrigin(request, workspace.baseUrl) ?? !caller?.isAmbient) return
  throw new ApiError('ORIGIN_REFUSED')
}

/**
 * Whether a change comes from the own origin. Browsers of today send `Origin` or `Sec-Fetch-Site`; undefined without both, as older browsers and
 * views inside of other programs send it.
 */
function isOwnOrigin(request: FastifyRequest, baseUrl: string): boolean | undefined {
  const origin = request.headers.origin
  if (origin !== undefined)
    return origin === new URL(baseUrl).origin || hostOf(origin) === request.headers.host?.toLowerCase()
  const site = request.headers['sec-fetch-site']
  return site === undefined ? undefined : site === 'same-origin' || site === 'none'
}

/**
 * Whether a browser came from a page of the workspace itself, for addresses that a browser opens and that change something. No other
 * site and no mail leads there: what cannot be told is refused. Browsers send `Sec-Fetch-Site` on https, and `Referer` on http too.
 */
export function isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, baseUrl: string): boolean {
  const { origin, referer, 'sec-fetch-site': site, host } = headers
  if (site !== undefined) return site === 'same-origin'
  const place = origin ?? (referer && URL.canParse(referer) ? new URL(referer).origin : undefined)
  return place !== undefined && (place === new URL(baseUrl).origin || hostOf(place) === host?.toLowerCase())
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
