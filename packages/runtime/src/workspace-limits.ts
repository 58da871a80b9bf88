interface LimitRule {
  readonly usual: number
  readonly max: number
}

const rate = (usual: number): LimitRule => ({ usual, max: 1_000_000 })
const percent = (usual: number): LimitRule => ({ usual, max: 100 })

/** The limits that `crm workspace limit` sets for one workspace: rates, and shares in percent; each is at least 1. */
export const workspaceLimits = {
  /** Requests of one credential. */
  'api.per-minute': rate(600),
  /** Calls of one address of a webhook. */
  'hooks.per-minute': rate(60),
  /** Bookings over one link. */
  'bookings.per-minute': rate(10),
  /** Recipients of mails that people and workflows send. */
  'mails.per-hour': rate(1_000),
  /** The places of a dispatcher for workflow runs, and the ones for actions of rules. */
  'runs.share': percent(25),
  /** The places of a process for requests, and its turns for reading. */
  'requests.share': percent(50),
} as const satisfies Readonly<Record<string, LimitRule>>

export type WorkspaceLimitName = keyof typeof workspaceLimits

/** The limits of a workspace that differ from the usual ones. */
export type WorkspaceLimits = Readonly<Partial<Record<WorkspaceLimitName, number>>>

/** The requests that a process works on at once unless its environment says otherwise; half of them are more than one key may send in a minute. */
export const usualRequestsAtOnce = 2_000

/** Returns the number of places that a share in percent gives; at least one. */
export function placesOf(places: number, percentage: number): number {
  return Math.max(1, Math.floor((places * percentage) / 100))
}
