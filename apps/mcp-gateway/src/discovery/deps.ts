/** The part of a workspace that the gateway needs. */
export interface GatewayWorkspace {
  readonly id: string
  readonly name: string
  /** The configured address without a final slash; all addresses in answers are built from it. */
  readonly baseUrl: string
}

/** What finds out for whom the gateway works. */
export interface DiscoveryDeps {
  /** Returns the workspace of a Host header, or null. */
  findWorkspace(host: string): Promise<GatewayWorkspace | null>
  /** Returns the permissions of the record kinds that a workspace has declared itself. */
  findOwnScopes(workspaceId: string): Promise<readonly string[]>
}
