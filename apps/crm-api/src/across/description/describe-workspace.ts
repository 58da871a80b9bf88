import { invoice, order, quote } from '@crm/model'
import {
  customFieldEntities,
  describedMax,
  recordOperations,
  workspaceSections,
  type WorkspaceDescription,
  type WorkspaceSection,
} from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import {
  entityActions,
  entityTypes,
  leveledActions,
  levelFor,
  type AccessLevel,
  type LeveledAction,
} from '@crm/permissions'
import { asc, eq } from 'drizzle-orm'
import { kindsInSight } from '../../kinds/kinds.ts'
import type { CrmContext } from '../../platform/context.ts'
import { recallCustomEntities } from '../../records/custom-kinds.ts'
import { today } from '../../records/moment.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import { listEmployees } from '../../resources/identity/employees/employees.repository.ts'
import { invoiceMachine } from '../../resources/finance/invoices/invoices.status.ts'
import { orderMachine } from '../../resources/finance/orders/orders.status.ts'
import { listPipelines, type PipelineRecord } from '../../resources/sales/pipelines/pipelines.repository.ts'
import { quoteMachine } from '../../resources/finance/quotes/quotes.status.ts'
import { filterReaderOf } from '../../domain/views/usable-views.ts'
import { listSavedFilters } from '../../resources/workspace/saved-filters/saved-filters.repository.ts'

type Kinds = NonNullable<WorkspaceDescription['kinds']>
type Kind = Kinds[string]

interface Machine {
  readonly [verb: string]: { readonly from: readonly string[]; readonly to: string | null }
}

/** The kinds whose status changes only by verbs. */
const machines: Readonly<Record<string, Machine>> = {
  [quote.entity]: quoteMachine,
  [order.entity]: orderMachine,
  [invoice.entity]: invoiceMachine,
}

/** Describes a workspace as a caller sees it: the whole, or some sections. */
export async function describeWorkspace(
  context: CrmContext,
  sections: readonly WorkspaceSection[] = workspaceSections,
): Promise<WorkspaceDescription> {
  const { workspace, caller, at } = context
  const { id, name, email } = caller.employee
  const has = (section: WorkspaceSection): boolean => sections.includes(section)
  return {
    now: at,
    today: today(at, workspace.timezone),
    zone: workspace.timezone,
    weekStart: workspace.weekStart,
    currency: workspace.currency,
    me: { id, name, email },
    ...(has('kinds') ? { everySummary, kinds: await describeKinds(context) } : {}),
    ...(has('customEntities') ? { customEntities: await describeCustomEntities(context) } : {}),
    ...(has('savedFilters') ? { savedFilters: await describeSavedFilters(context) } : {}),
    ...(has('colleagues') ? await describeColleagues(context) : {}),
  }
}

async function describeKinds(context: CrmContext): Promise<Kinds> {
  const { db, workspace } = context
  const { items: pipelines } = await listPipelines(db, workspace.id, { isActive: true, limit: describedMax, offset: 0 })
  const fields = await readCustomFields(db, workspace.id)
  const kinds = kindsInSight(context).filter(
    ({ entityType }) => context.scopeIfAllowed(entityType) && !isSwitchedOff(context, `VIEW_${entityType}`),
  )
  const entities = await recallCustomEntities(db, context)
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = entities.find(({ entityType }) => entityType === kind.entityType)?.fields
      return [kind.entityType, describeKind(context, kind, pipelines, own ?? fields.get(kind.entityType) ?? [])]
    }),
  )
}

interface Field {
  readonly key: string
  readonly label: string
  readonly type: string
  readonly options: readonly { readonly value: string }[]
}

function describeKind(
  { caller }: Pick<CrmContext, 'caller'>,
  { entityType }: Pick<RecordKind, 'entityType'>,
  pipelines: readonly PipelineRecord[],
  fields: readonly Field[],
): Kind {
  const rights = entityActions.filter((action) => caller.effective.has(`${action}_${entityType}`))
  const leveled = leveledActions.filter((action) => rights.includes(action))
  const ofKind = pipelines.filter((pipeline) => pipeline.entityType === entityType)
  const { dimensions, measures, weighted } = askedOf(entityType)
  return {
    rights,
    level: shortest(leveled.map((action) => [action, levelFor(caller.levels, entityType, action)])),
    pipelines: orNothing(ofKind.map(({ id, name, stages }) => ({ id, name, stages: stages.map(nameOf) }))),
    statuses: statusesOf(entityType, dimensions['status']?.values),
    customFields: orNothing(
      fields.map(({ key, label, type, options }) => ({
        key,
        label,
        type,
        options: orNothing(options.map(({ value }) => value)),
      })),
    ),
    dimensions: orNothing(Object.keys(dimensions).filter((name) => !everySummary.dimensions.includes(name))),
    // Dates are dimensions too, and are named there.
    measures: orNothing([
      ...Object.keys(measures).filter((name) => !(name in dimensions)),
      ...(weighted === null ? [] : [`weighted:${weighted}`]),
    ]),
  }
}

/** Returns the dimensions and measures of the summary of a kind; nothing where it has no summary. */
function askedOf(entityType: string) {
  const { dimensions = {}, measures = {}, weighted = null } = recordOperations(entityType)?.summary?.summarized ?? {}
  return { dimensions, measures, weighted }
}

/** The options that all summaries share, listed once. */
const everySummary = {
  dimensions: namesInAll(entityTypes.map((type) => askedOf(type).dimensions)),
  measures: ['count', 'min:<date>', 'max:<date>'],
}

function namesInAll(tables: readonly object[]): string[] {
  const [first = {}, ...others] = tables.filter((table) => Object.keys(table).length > 0)
  return Object.keys(first).filter((name) => others.every((table) => name in table))
}

/** Returns one level where all are the same. */
function shortest(levels: readonly (readonly [LeveledAction, AccessLevel])[]): Kind['level'] {
  const [first, ...others] = levels
  if (first && others.every(([, level]) => level === first[1])) return first[1]
  return Object.fromEntries(levels)
}

function nameOf({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name }
}

function orNothing<T>(list: readonly T[]): T[] | undefined {
  return list.length > 0 ? [...list] : undefined
}

function statusesOf(entityType: string, statuses: readonly string[] | undefined): Kind['statuses'] {
  const machine = machines[entityType]
  if (!statuses || !machine) return statuses && [...statuses]
  const next = (status: string) =>
    Object.fromEntries(
      Object.entries(machine).flatMap(([verb, { from, to }]) => (from.includes(status) ? [[verb, to] as const] : [])),
    )
  return Object.fromEntries(statuses.map((status) => [status, next(status)]))
}

/** Returns the custom fields of the built-in kinds, by entity type. */
async function readCustomFields(db: Executor, workspaceId: string): Promise<ReadonlyMap<string, Field[]>> {
  const { customFields } = schema
  const rows = await db
    .select()
    .from(customFields)
    .where(eq(customFields.workspaceId, workspaceId))
    .orderBy(asc(customFields.position), asc(customFields.key))
  return Map.groupBy(
    rows.filter(({ entityType }) => customFieldEntities.some((known) => known === entityType)),
    ({ entityType }) => entityType,
  )
}

async function describeCustomEntities(context: CrmContext): Promise<WorkspaceDescription['customEntities']> {
  const entities = await recallCustomEntities(context.db, context)
  return entities
    .filter(({ entityType }) => context.scopeIfAllowed(entityType))
    .map(({ key, labels: { singular, plural } }) => ({ key, singular, plural }))
}

async function describeSavedFilters(context: CrmContext): Promise<WorkspaceDescription['savedFilters']> {
  const { items } = await listSavedFilters(
    context.db,
    filterReaderOf(context),
    {},
    {
      limit: describedMax,
      offset: 0,
      locale: context.workspace.locale,
    },
  )
  return items.map(({ id, name, entityType }) => ({ id, name, entityType }))
}

async function describeColleagues(context: CrmContext): Promise<Pick<WorkspaceDescription, 'colleagues'>> {
  const scope = context.scopeIfAllowed('EMPLOYEE')
  if (!scope) return {}
  const { items } = await listEmployees(context.db, scope, { status: 'ACTIVE' }, { limit: describedMax, offset: 0 })
  return { colleagues: items.map(nameOf) }
}
