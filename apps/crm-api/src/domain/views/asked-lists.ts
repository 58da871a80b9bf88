import { own, recordOperations, type ConditionGroup, type Operation, type Shaped, type Summarized } from '@crm/contract'
import type { Executor } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import type { z } from 'zod'
import { resolveKind } from '../../kinds/kinds.ts'
import type { CrmContext } from '../../platform/context.ts'
import { customFieldsOf, type CustomFieldKind } from '../../records/custom-field-filters.ts'
import { momentOf } from '../../records/moment.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { structuredCondition } from '../../records/owned/structured-filter.ts'
import { readQuestion } from '../summaries/question.ts'

type Path = string | readonly (string | number)[]

/** The list of a kind of record that views and widgets query, with the custom fields of the workspace. */
export interface AskedList {
  readonly kind: RecordKind
  readonly list: Operation & { readonly query: z.ZodObject }
  readonly summary: Operation & { readonly query: z.ZodObject; readonly summarized: Summarized }
  readonly shaped: Shaped
  readonly customFields: readonly CustomFieldKind[]
}

/**
 * Returns the list of an entity type that the caller may see.
 * @throws ApiError VALIDATION_ERROR for a type without such a list, ACCESS_DENIED and ACCESS_LEVEL_NONE
 */
export async function requireAskedList(
  db: Executor,
  context: CrmContext,
  entityType: string,
  at: Path,
): Promise<AskedList> {
  const kind = await resolveKind(db, context, entityType)
  const { list, summary } = (kind && recordOperations(entityType)) ?? {}
  if (!kind || !list?.query || !list.shaped || !summary?.query || !summary.summarized)
    throw invalidField(at, 'There is no list of such records')
  context.scope(entityType)
  return {
    kind,
    list: list as AskedList['list'],
    summary: summary as AskedList['summary'],
    shaped: list.shaped,
    customFields: await customFieldsOf(db, context.workspace.id, kind),
  }
}

/** Returns the columns of a list besides custom fields: its fields, and the names to which ids can be expanded. */
export function knownColumns({ record, expandable }: Shaped): readonly string[] {
  return ['name', ...Object.keys(record.shape), ...Object.keys(expandable)]
}

/** Refuses columns that records of a list do not have. */
export function requireColumns(list: AskedList, columns: readonly string[], at: readonly (string | number)[]): void {
  const known = [...knownColumns(list.shaped), ...list.customFields.map(({ key }) => `cf_${key}`)]
  const wrong = columns.findIndex((column) => !known.includes(column))
  if (wrong >= 0) throw invalidField([...at, wrong], 'The records have no such field')
}

/** Refuses a structured filter by fields that records of a list do not have, or by values that do not fit them. */
export function requireConditions(
  { kind, list, customFields }: AskedList,
  query: Readonly<Record<string, string>>,
  context: CrmContext,
  at: readonly (string | number)[],
): void {
  const { data } = list.query.safeParse({ filter: query['filter'] })
  const group = data?.['filter'] as ConditionGroup | undefined
  const { employee } = context.caller
  if (group)
    inFields(at, () =>
      structuredCondition(group, { kind, customFields, moment: momentOf(context), employeeId: employee.id }),
    )
}

/** The settings of a board or a calendar over the records of a list. */
export interface Arrangement {
  readonly view: 'LIST' | 'KANBAN' | 'CALENDAR'
  readonly groupBy: string | null
  readonly dateField: string | null
  readonly measures: readonly string[]
}

/** Refuses fields by which the records cannot be grouped, placed or summed up. */
export function requireArrangement(list: AskedList, { view, groupBy, dateField, measures }: Arrangement): void {
  if (view === 'CALENDAR' && !dateField) throw invalidField('dateField', 'A calendar needs a date to show records by')
  if (dateField && !isDate(list, dateField)) throw invalidField('dateField', 'The records have no such date')
  const { summarized } = list.summary
  const question = { groupBy: groupBy ? [groupBy] : [], measures: [...measures] }
  const asked = inFields([], () => readQuestion(question, summarized, list.customFields, true))
  if (asked.dimensions[0]?.bucket) throw invalidField('groupBy', 'The columns of a board are no dates')
}

function isDate({ summary, customFields }: AskedList, name: string): boolean {
  const custom = customFields.find(({ key }) => `cf_${key}` === name)
  if (custom) return ['DATE', 'DATETIME'].includes(custom.type)
  return ['instant', 'day'].includes(own(summary.summarized.dimensions, name)?.type ?? '')
}

/** Turns a wrong parameter of a stored request into a wrong field of the body that holds the request. */
export function inFields<T>(at: readonly (string | number)[], work: () => T): T {
  try {
    return work()
  } catch (error) {
    const details = error instanceof ApiError && error.code === 'INVALID_QUERY_PARAM' ? error.extras.details : undefined
    throw details ? invalidField([...at, String(details['param'])], String(details['message'])) : error
  }
}

/** Returns the field for the columns of a board by default. */
export function usualGroupBy({ dimensions }: Summarized): string | null {
  return ['stageId', 'status'].find((name) => name in dimensions) ?? null
}
