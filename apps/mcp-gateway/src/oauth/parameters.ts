import type { GatewayWorkspace } from '../discovery/deps.ts'
import { isResource, resourcePath } from '../discovery/metadata.ts'
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

/**
 * Adds the client that `Authorization: Basic` names with an empty password: some libraries send the id of a client without a secret like that first
 * (RFC 6749, 2.3.1). A password says nothing here, because nobody has one.
 *
 * @throws {OAuthError} invalid_request when the form names another client
 */
export function withBasicClient(parameters: Parameters, authorization: string | undefined): Parameters {
  const [, encoded = ''] = /^basic +([a-z\d+/]+={0,2})$/i.exec(authorization ?? '') ?? []
  const [, name] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const clientId = name === undefined ? null : new URLSearchParams(`id=${name.replaceAll('&', '%26')}`).get('id')
  if (!clientId) return parameters
  if (parameters.has('client_id') && parameters.get('client_id') !== clientId)
    throw new OAuthError('invalid_request', 'The request names two clients')
  return new Map([...parameters, ['client_id', clientId]])
}

/** @throws {OAuthError} invalid_request when the parameter is absent */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`)
  return value
}

/** @throws {OAuthError} invalid_target when a named resource is not the tool server, or is named by another address (RFC 8707) */
export function checkResource(parameters: Parameters, { baseUrl }: Pick<GatewayWorkspace, 'baseUrl'>): void {
  const asked = parameters.get('resource')
  if (asked !== undefined && !isResource(asked, { baseUrl }))
    throw new OAuthError('invalid_target', `The resource must be ${baseUrl}${resourcePath}`)
}
