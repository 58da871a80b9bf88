import type { Calendar } from '@crm/contract'
import type { Module } from '@crm/permissions'
import type { CrmContext } from '../platform/context.ts'

/** When something is asked, and what of the workspace the answer depends on. */
export interface Moment {
  /** ISO 8601. */
  readonly at: string
  /** The day that it lies on in the workspace. */
  readonly today: string
  readonly calendar: Calendar
  readonly modulesOff: ReadonlyMap<Module, 'plan' | 'self'>
}

/** The moment of a request. */
export function momentOf({ at, workspace }: Pick<CrmContext, 'at' | 'workspace'>): Moment {
  return { at, today: today(at, workspace.timezone), calendar: workspace, modulesOff: workspace.modulesOff }
}

/** The day on which a moment lies in a zone, `YYYY-MM-DD`. */
export function today(at: string, timezone: string): string {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate().toString()
}
