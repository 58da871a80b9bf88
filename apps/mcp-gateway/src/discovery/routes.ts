import { ApiError } from '@crm/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DiscoveryDeps, GatewayWorkspace } from './deps.ts'
import {
  authorizationServer,
  authorizationServerPath,
  protectedResource,
  protectedResourcePath,
  resourcePath,
} from './metadata.ts'

const documents = {
  [protectedResourcePath]: protectedResource,
  [authorizationServerPath]: authorizationServer,
} as const

/** Serves the discovery documents at the root, and with the path of the resource appended. */
export function addDiscoveryRoutes(app: FastifyInstance, deps: DiscoveryDeps): void {
  for (const [path, documentOf] of Object.entries(documents)) {
    for (const suffix of ['', resourcePath]) {
      app.get(path + suffix, (request) => describe(deps, request, documentOf))
    }
  }
}

async function describe(
  deps: DiscoveryDeps,
  { headers: { host }, url }: FastifyRequest,
  documentOf: typeof protectedResource,
): Promise<Readonly<Record<string, unknown>>> {
  const workspace = await requireWorkspace(deps, host)
  return documentOf(workspace, await deps.findOwnScopes(workspace.id), url)
}

/**
 * Returns the workspace of a Host header.
 *
 * @throws {ApiError} NOT_FOUND when the host belongs to none
 */
export async function requireWorkspace(
  { findWorkspace }: Pick<DiscoveryDeps, 'findWorkspace'>,
  host: string | undefined,
): Promise<GatewayWorkspace> {
  const workspace = await findWorkspace(host ?? '')
  if (!workspace) throw new ApiError('NOT_FOUND', { message: 'There is no workspace at this address' })
  return workspace
}
