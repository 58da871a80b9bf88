/** The ways by which people and programs reach the service. */
export const viaTypes = ['SESSION', 'API_KEY', 'OAUTH_CLIENT', 'WORKFLOW', 'SCIM', 'IMPORT'] as const
export type ViaType = (typeof viaTypes)[number]

/** The way by which a person did something: the key, the client, the workflow or the import, by its id and its name of that moment. */
export interface Via {
  readonly type: ViaType
  /** Null for a session. */
  readonly id: string | null
  readonly name: string | null
}

/** What a credential may do by itself. */
export const writesModes = ['DIRECT', 'PROPOSE', 'PROPOSE_DESTRUCTIVE'] as const
export type WritesMode = (typeof writesModes)[number]

/** What can be limited of a credential. */
export const agentLimitNames = ['writesPerDay', 'deletesPerDay', 'recordsPerCall'] as const

/** The highest limit. */
export const agentLimitMax = 1_000_000

/** The most that a credential may do; null: no limit. */
export type AgentLimits = { readonly [Name in (typeof agentLimitNames)[number]]: number | null }

/** How a credential of an agent is held. */
export interface AgentControl {
  readonly writes: WritesMode
  readonly limits: Partial<AgentLimits>
  /** Whether a person confirms each destructive call. */
  readonly confirm: boolean
  /** Under which its use of a day is counted. */
  readonly budgetKey: string
}
