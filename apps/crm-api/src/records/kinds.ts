import { activityKind } from '../resources/activities/activities.record.ts'
import { companyKind } from '../resources/companies/companies.record.ts'
import { contactKind } from '../resources/contacts/contacts.record.ts'
import { dealKind } from '../resources/deals/deals.record.ts'
import { leadKind } from '../resources/leads/leads.record.ts'
import { projectKind } from '../resources/projects/projects.record.ts'
import { taskKind } from '../resources/tasks/tasks.record.ts'
import type { RecordKind } from './owned/kind.ts'

/** Every kind of owned record that has a table of its own, by entity type. */
export const recordKinds = {
  LEAD: leadKind,
  CONTACT: contactKind,
  COMPANY: companyKind,
  DEAL: dealKind,
  TASK: taskKind,
  PROJECT: projectKind,
  ACTIVITY: activityKind,
} as const satisfies Readonly<Record<string, RecordKind>>

export type KnownEntity = keyof typeof recordKinds

/** The kind of record of an entity type, or undefined. */
export function kindOf(entityType: string): RecordKind | undefined {
  return Object.hasOwn(recordKinds, entityType) ? recordKinds[entityType as KnownEntity] : undefined
}
