import { OAuthError } from './oauth-error.ts'

/** The parameters of a request, each of them given once. */
export type Parameters = ReadonlyMap<string, string>

/**
 * Reads parameters; a parameter without a value counts as absent (RFC 6749, 3.1).
 *
 * @throws {OAuthError} invalid_request when a parameter is repeated; two `resource` parameters are more than this
 * server can serve
 */
export function readParameters(given: URLSearchParams): Parameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of given) {
    if (value === '') continue
    if (parameters.has(name))
      throw name === 'resource'
        ? new OAuthError('invalid_target', 'There is one resource only')
        : new OAuthError('invalid_request', `${name} is repeated`)
    parameters.set(name, value)
  }
  return parameters
}

/** @throws {OAuthError} invalid_request when the parameter is absent */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`)
  return value
}

/** @throws {OAuthError} invalid_target when a named resource is not the tool server (RFC 8707) */
export function checkResource(parameters: Parameters, resource: string): void {
  const asked = parameters.get('resource')
  if (asked !== undefined && !isSame(asked, resource))
    throw new OAuthError('invalid_target', `The resource must be ${resource}`)
}

function isSame(asked: string, resource: string): boolean {
  return asked === resource || (URL.canParse(asked) && new URL(asked).href === new URL(resource).href)
}
