import type { LeadValues } from '../../kinds/leads.ts'

/** What the score of a lead is computed from. */
export interface ScoreFacts {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly jobTitle: string | null
  readonly website: string | null
  readonly temperature: 'HOT' | 'WARM' | 'COLD' | null
  /** Whether somebody or something brought the lead, rather than a direct entry. */
  readonly hasOwnSource: boolean
  /** Last activity, or the creation: ISO 8601. */
  readonly lastSignAt: string
  /** ISO 8601. */
  readonly now: string
}

const completeness: readonly (readonly [keyof ScoreFacts, number])[] = [
  ['email', 12],
  ['phone', 12],
  ['companyName', 8],
  ['lastName', 5],
  ['jobTitle', 4],
  ['firstName', 3],
  ['website', 1],
]

const warmth = { HOT: 30, WARM: 18, COLD: 4 } as const
const unknownWarmth = 10
const dayMs = 24 * 60 * 60 * 1000

/** Points for recency: within so many days, so many points. */
const recency: readonly (readonly [days: number, points: number])[] = [
  [2, 15],
  [7, 12],
  [30, 7],
  [90, 3],
]

/**
 * The score of a lead from 0 to 100: up to 45 for completeness, 30 for temperature, 10 for a source of its own and
 * 15 for recency (docs/decisions/lead-score.md).
 */
export function scoreLead(facts: ScoreFacts): number {
  const complete = completeness.reduce((sum, [field, points]) => sum + (facts[field] ? points : 0), 0)
  const warm = facts.temperature ? warmth[facts.temperature] : unknownWarmth
  const ageDays = (Date.parse(facts.now) - Date.parse(facts.lastSignAt)) / dayMs
  const recent = recency.find(([days]) => ageDays <= days)?.[1] ?? 0
  return Math.min(100, complete + warm + (facts.hasOwnSource ? 10 : 0) + recent)
}

/** The score of a lead as it is or will be. */
export function scoreOf(lead: Partial<LeadValues>, sourceKey: string | null, lastSignAt: string, now: string): number {
  return scoreLead({
    firstName: lead.firstName ?? null,
    lastName: lead.lastName ?? null,
    companyName: lead.companyName ?? null,
    email: lead.email ?? null,
    phone: lead.phone ?? null,
    jobTitle: lead.jobTitle ?? null,
    website: lead.website ?? null,
    temperature: lead.temperature ?? null,
    hasOwnSource: sourceKey !== 'direct',
    lastSignAt,
    now,
  })
}
