import type { LeadValues } from '../../kinds/leads.ts'

/** The facts from which the score of a lead is computed. */
interface ScoreFacts {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly jobTitle: string | null
  readonly website: string | null
  readonly temperature: 'HOT' | 'WARM' | 'COLD' | null
  /** Whether the lead has a source other than direct entry. */
  readonly hasOwnSource: boolean
  /** The last activity, or the creation: ISO 8601. */
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

/** Points for recency: the number of days since the last activity, and the points for it. */
const recency: readonly (readonly [days: number, points: number])[] = [
  [2, 15],
  [7, 12],
  [30, 7],
  [90, 3],
]

/**
 * Returns the score of a lead from 0 to 100: up to 45 for completeness, 30 for temperature, 10 for a source of its own and
 * 15 for recency (docs/decisions/lead-score.md).
 */
function scoreLead(facts: ScoreFacts): number {
  const complete = completeness.reduce((sum, [field, points]) => sum + (facts[field] ? points : 0), 0)
  const warm = facts.temperature ? warmth[facts.temperature] : unknownWarmth
  const ageDays = (Date.parse(facts.now) - Date.parse(facts.lastSignAt)) / dayMs
  const recent = recency.find(([days]) => ageDays <= days)?.[1] ?? 0
  return Math.min(100, complete + warm + (facts.hasOwnSource ? 10 : 0) + recent)
}

/** Returns the score of a present or planned lead. */
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
