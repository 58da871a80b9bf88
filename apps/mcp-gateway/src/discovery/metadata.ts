import { permissionNames } from '@crm/permissions'
import type { GatewayWorkspace } from '../deps.ts'

/** The path of the tool server, which is the one protected resource. */
export const resourcePath = '/api/mcp'

/** Where the metadata of the protected resource stands; clients are pointed to it when they have no credential. */
export function resourceMetadataUrl({ baseUrl }: GatewayWorkspace): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resourcePath}`
}

/** Metadata of the protected resource (RFC 9728). */
export function protectedResource({ name, baseUrl }: GatewayWorkspace): Readonly<Record<string, unknown>> {
  return {
    resource: baseUrl + resourcePath,
    authorization_servers: [baseUrl],
    scopes_supported: permissionNames,
    bearer_methods_supported: ['header'],
    resource_name: name,
  }
}

/** Metadata of the authorization server (RFC 8414). */
export function authorizationServer({ baseUrl }: GatewayWorkspace): Readonly<Record<string, unknown>> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/api/oauth-mcp/authorize`,
    token_endpoint: `${baseUrl}/api/oauth-mcp/token`,
    registration_endpoint: `${baseUrl}/api/oauth-mcp/register`,
    revocation_endpoint: `${baseUrl}/api/oauth-mcp/revoke`,
    scopes_supported: permissionNames,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
