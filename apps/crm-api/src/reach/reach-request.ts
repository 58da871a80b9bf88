import type { Executor } from '@crm/db'

/** The parts of a request by which its object is found. */
export interface ReachRequest {
  readonly db: Executor
  readonly workspaceId: string
  readonly callerId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** The person behind an object; null: a person who is no longer known, so only an administrator may act in their place. */
export type Behind = string | null
