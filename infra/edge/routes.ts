import { readFileSync } from 'node:fs'

/** How a surface words its errors (docs/guide/errors.md). */
export type ErrorShape = 'api' | 'booking' | 'hook'

export interface Route {
  /** A prefix when it ends in `/`, an exact path otherwise. */
  readonly path: string
  readonly service: string
  readonly errors: ErrorShape
}

export interface RoutingTable {
  /** Port of every deployable in a container. */
  readonly containerPort: number
  /** All deployables, also those without a route, in the order of `/healthz`. */
  readonly services: readonly string[]
  /** Paths of the deployables that no edge shows. */
  readonly hidden: readonly string[]
  readonly routes: readonly Route[]
}

/** The table of infra/routes.json. */
export const routingTable = JSON.parse(readFileSync(new URL('../routes.json', import.meta.url), 'utf8')) as RoutingTable

/** An error of the edge itself in the words of a surface; those of the booking API always have a code. */
export function errorBody(shape: ErrorShape, text: string, code?: string): object {
  if (shape === 'hook') return { error: text }
  if (shape === 'booking') return { success: false, error: { code: code ?? 'VALIDATION_ERROR', message: text } }
  return code === undefined ? { error: text } : { error: text, code }
}

/** Headers of such an error: every website may read what the booking API says. */
export function errorHeaders(shape: ErrorShape): Readonly<Record<string, string>> {
  return shape === 'booking'
    ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }
    : {}
}

/** The body of an answer for a service that cannot be reached. */
export function unavailableBody(shape: ErrorShape): object {
  // The table of webhooks has a text of its own (docs/guide/webhooks.md).
  return shape === 'hook'
    ? { error: 'Service unavailable' }
    : errorBody(shape, 'The service cannot answer now; please try again', 'SERVICE_UNAVAILABLE')
}

/** The body of an answer to a client that has too much under way, or of a time in which all of them together have. */
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
