import { referringFirst, type EntityOfKind } from '@crm/model'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { kindTables } from './kind-tables.ts'
import * as schema from './schema/index.ts'
import type { Executor } from './transaction.ts'

/** A table of rows that have an id. */
export type PlantedTable = PgTable & { readonly workspaceId: PgColumn; readonly id: PgColumn }

/** The planted kinds that are no owned records, with their tables, in the order in which they can be removed. */
export const plantedTables = {
  DELIVERY: schema.deliveries,
  RULE_RUN: schema.ruleRuns,
  WORKFLOW_RUN: schema.workflowRuns,
  NOTIFICATION: schema.notifications,
  SAVED_FILTER: schema.savedFilters,
  CALENDAR_EVENT: schema.calendarEvents,
  BOOKING: schema.bookings,
  BOOKING_LINK: schema.bookingLinks,
  CONVERSATION: schema.conversations,
  CHANNEL: schema.channels,
  PRODUCT_CATEGORY: schema.productCategories,
  PRODUCT_TAG: schema.productTags,
  PRODUCT_ATTRIBUTE: schema.productAttributes,
  PRODUCT_ATTRIBUTE_GROUP: schema.productAttributeGroups,
  FILE: schema.files,
  EMPLOYEE: schema.employees,
  DEPARTMENT: schema.departments,
} as const satisfies Readonly<Record<string, PlantedTable>>

/** The planted kinds of owned records, with their tables, in the order in which they can be removed. */
export const plantedRecords: Readonly<Partial<Record<EntityOfKind, PlantedTable>>> = Object.fromEntries(
  referringFirst().map((entity) => [entity, kindTables[entity]]),
)

/** Records every row of a workspace that was just planted, except its administrator; call it before anybody else can write there. */
export async function recordPlanted(tx: Executor, workspaceId: string, adminId: string): Promise<void> {
  const { demoRecords, customRecords } = schema
  for (const [kind, table] of Object.entries<PlantedTable>({ ...plantedRecords, ...plantedTables }))
    await tx.execute(sql`
      INSERT INTO ${demoRecords} (workspace_id, kind, id)
      SELECT ${table.workspaceId}, ${kind}, ${table.id} FROM ${table} WHERE ${table.workspaceId} = ${workspaceId} AND ${table.id} <> ${adminId}`)
  await tx.execute(sql`
    INSERT INTO ${demoRecords} (workspace_id, kind, id)
    SELECT workspace_id, upper(entity_key), id FROM ${customRecords} WHERE workspace_id = ${workspaceId}`)
}
