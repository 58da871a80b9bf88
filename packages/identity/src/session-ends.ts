import { usualSignInPolicy } from './sign-in-policy.ts'

/** SQL for an instant as the API writes it. */
export const instantText = (expression: string): string =>
  `to_char((${expression}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL for a number of the sign-in policy, from a row of `workspaces`. */
const ruleOf = (workspace: string, name: 'sessionIdleHours' | 'sessionAbsoluteHours' | 'reauthMinutes'): string =>
  `coalesce((${workspace}.sign_in_policy->>'${name}')::int, ${usualSignInPolicy[name]})`

/** SQL for the time at which a session ends in any case; the arguments are the names of a row of `sessions` and one of `workspaces`. */
export const sessionEnd = (session: string, workspace: string): string =>
  `${session}.created_at + make_interval(hours => least(${ruleOf(workspace, 'sessionAbsoluteHours')}, ${session}.hours_max))`

/** SQL for the time at which a session ends unless it is used. It follows from the policy of now, so a shorter one counts at once. */
export const sessionExpiry = (session: string, workspace: string): string =>
  `least(${session}.expires_at, ${session}.last_used_at + ${idleTime(workspace)}, ${sessionEnd(session, workspace)})`

/** SQL for the time that a session lasts without a use. */
export const idleTime = (workspace: string): string =>
  `make_interval(hours => ${ruleOf(workspace, 'sessionIdleHours')})`

/** SQL for the time until which a session counts as freshly authenticated. */
export const sessionFreshness = (session: string, workspace: string): string =>
  `coalesce(${session}.authenticated_at, ${session}.created_at) + make_interval(mins => ${ruleOf(workspace, 'reauthMinutes')})`
