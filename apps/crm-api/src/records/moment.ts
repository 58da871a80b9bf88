import type { Calendar } from '@crm/contract'
import type { Module } from '@crm/permissions'
import type { CrmContext } from '../platform/context.ts'

/** The time of a request, with the settings of the workspace on which the answer depends. */
export interface Moment {
  readonly workspaceId: string
  /** ISO 8601. */
  readonly at: string
  /** The day of the moment in the workspace. */
  readonly today: string
  readonly calendar: Calendar
  /** The language of the workspace, by which names are sorted. */
  readonly locale: string
  readonly modulesOff: ReadonlyMap<Module, 'plan' | 'self'>
}

/** Returns the moment of a request. */
export function momentOf({ at, workspace }: Pick<CrmContext, 'at' | 'workspace'>): Moment {
  return {
    workspaceId: workspace.id,
    at,
    calendar: workspace,
    locale: workspace.locale,
    modulesOff: workspace.modulesOff,
    // Few questions depend on the day, and every list has a moment.
    get today() {
      return today(at, workspace.timezone)
    },
  }
}

/** Returns a moment with the days of a zone, where one is named. */
export function inZone(moment: Moment, timezone: string | undefined): Moment {
  if (timezone === undefined) return moment
  return { ...moment, calendar: { ...moment.calendar, timezone }, today: today(moment.at, timezone) }
}

/** Returns the day on which a moment falls in a zone, `YYYY-MM-DD`. */
export function today(at: string, timezone: string): string {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate().toString()
}
