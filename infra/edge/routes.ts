import { readFileSync } from 'node:fs'

/** The error format of a surface (docs/guide/errors.md). */
export type ErrorShape = 'api' | 'booking' | 'hook'

export interface Route {
  /** A prefix when it ends in `/`, an exact path otherwise. */
  readonly path: string
  readonly service: string
  readonly errors: ErrorShape
  /** Its answers show secrets, so they are never compressed. */
  readonly secrets?: true
  /** A POST to it changes nothing, so its answers are compressed as those of a GET. */
  readonly reads?: true
}

export interface RoutingTable {
  /** The port of every deployable in a container. */
  readonly containerPort: number
  /** All deployables, with or without a route, in the order of `/healthz`. */
  readonly services: readonly string[]
  /** Paths of the deployables that no edge exposes. */
  readonly hidden: readonly string[]
  readonly routes: readonly Route[]
}

/** The table of infra/routes.json. */
export const routingTable = JSON.parse(readFileSync(new URL('../routes.json', import.meta.url), 'utf8')) as RoutingTable

/** Returns an error of the edge itself in the format of a surface; the booking API's errors always have a code. */
export function errorBody(shape: ErrorShape, text: string, code?: string): object {
  if (shape === 'hook') return { error: text }
  if (shape === 'booking') return { success: false, error: { code: code ?? 'VALIDATION_ERROR', message: text } }
  return code === undefined ? { error: text } : { error: text, code }
}

/** Returns the headers of such an error: every website may read answers of the booking API. */
export function errorHeaders(shape: ErrorShape): Readonly<Record<string, string>> {
  return shape === 'booking'
    ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }
    : {}
}

/** Returns the body of an answer for an unreachable service. */
export function unavailableBody(shape: ErrorShape): object {
  // The webhooks' table has a text of its own (docs/guide/webhooks.md).
  return shape === 'hook'
    ? { error: 'Service unavailable' }
    : errorBody(shape, 'The service cannot answer now; please try again', 'SERVICE_UNAVAILABLE')
}

/** Returns the body of an answer to a client over its limit, or while all clients together are over theirs. */
export function crowdedBody(shape: ErrorShape, status: 429 | 503): object {
  if (status === 503) return unavailableBody(shape)
  return shape === 'hook' ? { error: 'Too many requests' } : errorBody(shape, 'Too many requests', 'RATE_LIMITED')
}

/** Makes the function that finds the route of a decoded path; hidden paths have none. */
export function createRouter({ routes, hidden }: RoutingTable): (path: string) => Route | undefined {
  const exact = new Map(routes.filter(({ path }) => !path.endsWith('/')).map((route) => [route.path, route]))
  const prefixes = routes
    .filter(({ path }) => path.endsWith('/'))
    .sort((one, other) => other.path.length - one.path.length)
  const isHidden = new Set(hidden)
  return (path) => {
    if (isHidden.has(path)) return undefined
    return exact.get(path) ?? prefixes.find((route) => path.startsWith(route.path))
  }
}
