import { schema, type Executor } from '@crm/db'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { customFieldHas, customFieldIs } from './custom-field-filters.ts'
import type { FieldPlace } from './retired-fields.ts'

const { automationRules, dashboards, pipelines, savedFilters, stages, workflows } = schema

/** What names a field, by how many. */
export interface FieldUses {
  readonly records: number
  readonly views: number
  readonly dashboards: number
  readonly rules: number
  readonly workflows: number
  readonly stages: number
}

/** Counts what names a field of a kind; with an option, what names this option of it. */
export async function countFieldUses(
  db: Executor,
  { workspaceId, kind, key }: FieldPlace,
  option: string | undefined,
): Promise<FieldUses> {
  const { table, base, entityType } = kind
  const field = { key, type: '' }
  const ofTable = and(eq(table.workspaceId, workspaceId), base) as SQL
  const has =
    option === undefined
      ? sql`${table.customFields} ->> ${key} IS NOT NULL`
      : sql`(${customFieldIs(field, table.customFields, option)} OR (jsonb_typeof(${table.customFields} -> ${key}) = 'array' AND ${customFieldHas(field, table.customFields, [option])}))`
  // Records of a custom entity show their fields as values.
  const holder = table === schema.customRecords ? 'values' : 'customFields'
  const names = (...columns: readonly PgColumn[]): SQL => {
    const text = sql`concat_ws(' ', ${sql.join(
      columns.map((column) => sql`${column}::text`),
      sql`, `,
    )})`
    const isNamed = sql`${text} ~ ${`(cf_|${holder}[^a-zA-Z0-9]{1,6})${key}(Min|Max|From|To)?([^a-zA-Z0-9]|$)`}`
    // Options stand in texts of JSON within JSON, too.
    return option === undefined ? isNamed : sql`${isNamed} AND position(${option} IN ${text}) > 0`
  }
  const count = async (of: PgTable & { readonly workspaceId: PgColumn }, where: SQL): Promise<number> => {
    const { rows } = await db.execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM ${of} WHERE ${of.workspaceId} = ${workspaceId} AND ${where}`,
    )
    return rows[0]?.n ?? 0
  }
  const { query, columns, groupBy, dateField, measures, sortBy } = savedFilters
  const requires = sql`${stages.requiredFields} @> ARRAY[${`customFields.${key}`}] AND EXISTS (
    SELECT FROM ${pipelines} WHERE ${pipelines.workspaceId} = ${stages.workspaceId} AND ${pipelines.id} = ${stages.pipelineId} AND ${pipelines.entityType} = ${entityType})`
  return {
    records: await count(table, and(ofTable, has) as SQL),
    views: await count(
      savedFilters,
      sql`${savedFilters.entityType} = ${entityType} AND ${names(query, columns, groupBy, dateField, measures, sortBy)}`,
    ),
    dashboards: await count(dashboards, names(dashboards.widgets)),
    rules: await count(automationRules, names(automationRules.conditions, automationRules.actions)),
    workflows: await count(workflows, names(workflows.trigger, workflows.steps)),
    stages: option === undefined ? await count(stages, requires) : 0,
  }
}
