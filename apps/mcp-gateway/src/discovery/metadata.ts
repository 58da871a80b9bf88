import { permissionNames } from '@crm/permissions'
import type { GatewayWorkspace } from '../deps.ts'

/** The path of the tool server, the only protected resource. */
export const resourcePath = '/api/mcp'

/** The served paths. The server ignores a final slash, so an address that people paste with one works too. */
export const resourcePaths = [resourcePath] as const

export const registerPath = '/api/oauth-mcp/register'
export const authorizePath = '/api/oauth-mcp/authorize'
export const tokenPath = '/api/oauth-mcp/token'
export const revokePath = '/api/oauth-mcp/revoke'

/** The address of the protected resource's metadata. Clients without a credential are pointed to it. */
export function resourceMetadataUrl({ baseUrl }: GatewayWorkspace): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resourcePath}`
}

/** Metadata of the protected resource (RFC 9728); `ownScopes` are the permissions of the workspace's own kinds of record. */
export function protectedResource(
  { name, baseUrl }: GatewayWorkspace,
  ownScopes: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    resource: baseUrl + resourcePath,
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
