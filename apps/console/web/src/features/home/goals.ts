/**
 * Returns the part of a goal that is reached; 1 for all of it. Only the amount in the currency of the goal counts where a workspace has
 * no rates for the others.
 */
export function shareOfGoal(sum: unknown, goal: string, currency: string): number {
  const amount = typeof sum === 'object' && sum !== null ? (sum as Record<string, unknown>)[currency] : sum
  const aim = Number(goal)
  return aim > 0 ? Number(amount ?? 0) / aim : 1
}
