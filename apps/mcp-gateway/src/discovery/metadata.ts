import { permissionNames } from '@crm/permissions'
import type { GatewayWorkspace } from './deps.ts'

/** The path of the tool server, the only protected resource. */
export const resourcePath = '/api/mcp'

export const registerPath = '/api/oauth-mcp/register'
export const authorizePath = '/api/oauth-mcp/authorize'
export const tokenPath = '/api/oauth-mcp/token'
export const revokePath = '/api/oauth-mcp/revoke'

/** The paths of the discovery documents. Each is served with the path of the resource appended, too. */
export const protectedResourcePath = '/.well-known/oauth-protected-resource'
export const authorizationServerPath = '/.well-known/oauth-authorization-server'

/**
 * The final slash and the narrowing of an address of the tool server, or of its metadata, as they were written. They belong to the address:
 * strict clients compare it with the metadata character by character (RFC 9728, 3.3).
 */
function endOfAddress(address: string): string {
  const { pathname, search } = new URL(address, 'http://any')
  if (!pathname.replace(/\/$/, '').endsWith(resourcePath)) return ''
  return (pathname.endsWith('/') ? '/' : '') + search
}

/** Whether an address is one of the tool server's; every one of them is the same resource (RFC 8707). */
export function isResource(asked: string, { baseUrl }: Pick<GatewayWorkspace, 'baseUrl'>): boolean {
  if (!URL.canParse(asked)) return false
  const address = new URL(asked)
  address.search = ''
  return [resourcePath, `${resourcePath}/`].some((path) => new URL(baseUrl + path).href === address.href)
}

/** The address of the metadata of the resource that was called. Clients without a credential are pointed to it. */
export function resourceMetadataUrl({ baseUrl }: GatewayWorkspace, called: string): string {
  return baseUrl + protectedResourcePath + resourcePath + endOfAddress(called)
}

/** Metadata of the protected resource (RFC 9728); `ownScopes` are the permissions of the workspace's own kinds of record. */
export function protectedResource(
  { name, baseUrl }: GatewayWorkspace,
  ownScopes: readonly string[],
  asked: string,
): Readonly<Record<string, unknown>> {
  return {
    resource: baseUrl + resourcePath + endOfAddress(asked),
    authorization_servers: [baseUrl],
    scopes_supported: [...permissionNames, ...ownScopes],
    bearer_methods_supported: ['header'],
    resource_name: name,
  }
}

/** Metadata of the authorization server (RFC 8414). */
export function authorizationServer(
  { baseUrl }: GatewayWorkspace,
  ownScopes: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + authorizePath,
    token_endpoint: baseUrl + tokenPath,
    registration_endpoint: baseUrl + registerPath,
    client_id_metadata_document_supported: true,
    revocation_endpoint: baseUrl + revokePath,
    scopes_supported: [...permissionNames, ...ownScopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
