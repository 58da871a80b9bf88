import { declaredOperations, own, publicContract, type WidgetInput } from '@crm/contract'
import type { DashboardWidget, Executor } from '@crm/db'
import { ApiError, invalidField, type Issue } from '@crm/errors'
import type { Module } from '@crm/permissions'
import {
  inFields,
  requireAskedList,
  requireColumns,
  requireConditions,
  type AskedList,
} from '../../../domain/views/asked-lists.ts'
import { checkListRequest } from '../../../domain/views/list-request.ts'
import { filterReaderOf, findUsableFilters, type SavedFilterRow } from '../../../domain/views/usable-views.ts'
import { readQuestion } from '../../../domain/summaries/question.ts'
import type { CrmContext } from '../../../platform/context.ts'
import { customFieldConditions, customFieldParamNames } from '../../../records/custom-field-filters.ts'
import { entityTypeOf } from '../../../records/custom-kinds.ts'

/** A question in the form in which it is sent or stored. */
export type Question = Pick<WidgetInput, 'type' | 'periodField'> & Pick<DashboardWidget, 'source'>

/**
 * The facts that decide whether a person may ask questions: the lists that they name, null where the person may not use one,
 * and the views.
 */
export interface Answerable {
  readonly lists: ReadonlyMap<string, AskedList | Refusal>
  readonly views: ReadonlyMap<string, SavedFilterRow>
}

interface Refusal {
  readonly refusal: string
}

/** Reads the facts about questions: each list and each view once, even when several questions name it. */
export async function readAnswerable(
  db: Executor,
  context: CrmContext,
  questions: readonly Question[],
): Promise<Answerable> {
  const lists = new Map<string, AskedList | Refusal>()
  for (const { source } of questions)
    if (!lists.has(source.resource)) lists.set(source.resource, await readList(db, context, source.resource))
  const ids = questions.flatMap(({ source }) => source.savedFilterId ?? [])
  return { lists, views: await findUsableFilters(db, filterReaderOf(context), [...new Set(ids)]) }
}

const customRecords = /^custom-entities\/([a-z][a-z0-9_]*)\/records$/

async function readList(db: Executor, context: CrmContext, resource: string): Promise<AskedList | Refusal> {
  const [, key] = customRecords.exec(resource) ?? []
  const built = ownedLists.get(resource)
  const entityType = key === undefined ? built?.entityType : entityTypeOf(key)
  if (entityType === undefined) return { refusal: 'There is no list of such records' }
  if (built?.module && context.workspace.modulesOff.has(built.module))
    return { refusal: 'Such records are switched off in the workspace' }
  try {
    return await requireAskedList(db, context, entityType, 'resource')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isUnknown = error.code === 'VALIDATION_ERROR'
    return { refusal: isUnknown ? 'There is no list of such records' : 'You may not see such records' }
  }
}

/** The lists of owned records, by the resource that a widget names. */
const ownedLists: ReadonlyMap<string, { readonly entityType: string; readonly module: Module | null }> = new Map(
  declaredOperations(publicContract).flatMap(({ operation, resource }) => {
    const { access, summarized, path } = operation
    const permission = summarized && typeof access === 'object' && 'all' in access ? access.all[0] : undefined
    const list = path.slice('/api/'.length, -'/summary'.length)
    return permission ? [[list, { entityType: permission.replace('VIEW_', ''), module: resource.module }] as const] : []
  }),
)

/** Returns why a question cannot be asked, by its fields; nothing when it can. */
export function objectionsTo(question: Question, answerable: Answerable, context: CrmContext): readonly Issue[] {
  try {
    check(question, answerable, context)
    return []
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') return error.extras.issues ?? []
    throw error
  }
}

function check(question: Question, { lists, views }: Answerable, context: CrmContext): void {
  const { source, type } = question
  const list = lists.get(source.resource) ?? { refusal: 'There is no list of such records' }
  if ('refusal' in list) throw invalidField(['source', 'resource'], list.refusal)
  const view = source.savedFilterId === undefined ? undefined : views.get(source.savedFilterId)
  if (source.savedFilterId !== undefined && view?.entityType !== list.kind.entityType)
    throw invalidField(['source', 'savedFilterId'], 'There is no such saved filter for this list')
  checkFilters(question, list, context)
  checkCustomFilters(source.query, list, context, ['source', 'query'])
  requireConditions(list, source.query, context, ['source', 'query'])
  if (view) checkCustomFilters(view.query, list, context, ['source', 'savedFilterId'])
  checkModules({ ...view?.query, ...source.query }, list, context)
  checkPeriod(question, list)
  if (type === 'LIST') checkListing(source, list)
  else checkSummary(question, list, { ...view?.query, ...source.query })
}

function checkFilters({ type, source }: Question, { kind }: AskedList, { workspace, caller }: CrmContext): void {
  const [sortBy, sortOrder, ...more] = type === 'LIST' ? (source.sort?.split(':') ?? []) : []
  const asked = { query: source.query, sortBy, sortOrder: sortOrder as 'asc' | 'desc' | undefined }
  if (more.length > 0) throw invalidField(['source', 'sort'], 'Expected a field, then :asc or :desc')
  try {
    checkListRequest(kind.entityType, asked, { calendar: workspace, employeeId: caller.employee.id })
  } catch (error) {
    if (!(error instanceof ApiError) || !error.extras.issues) throw error
    const issues = error.extras.issues.map((issue) => ({
      ...issue,
      path: ['source', ...(issue.path[0] === 'query' ? issue.path : ['sort'])],
    }))
    throw new ApiError('VALIDATION_ERROR', { issues })
  }
}

/** Refuses filters by custom fields that the list no longer has, because they would restrict nothing. */
function checkCustomFilters(
  query: Readonly<Record<string, string>>,
  { customFields, kind }: AskedList,
  { workspace }: CrmContext,
  at: readonly string[],
): void {
  const filters = new Map(Object.entries(query).filter(([name]) => name.startsWith('cf_')))
  const known = customFields.flatMap(customFieldParamNames)
  const gone = [...filters.keys()].find((name) => !known.includes(name))
  if (gone !== undefined) throw invalidField([...at, gone], 'The list has no such filter')
  inFields(at, () => customFieldConditions(customFields, filters, kind.table.customFields, workspace))
}

function checkModules(
  query: Readonly<Record<string, string>>,
  { kind }: AskedList,
  { workspace: { modulesOff } }: CrmContext,
): void {
  const off = Object.keys(query).find((name) => {
    const { module } = own(kind.filters, name) ?? {}
    return module && modulesOff.has(module)
  })
  if (off !== undefined) throw invalidField(['source', 'query', off], 'What it asks for is switched off')
}

function checkPeriod({ periodField }: Question, { list, customFields }: AskedList): void {
  if (periodField === null || periodField === undefined) return
  const known = [...Object.keys(list.query.shape), ...customFields.flatMap(customFieldParamNames)]
  const isPair = ['From', 'To'].every((bound) => known.includes(`${periodField}${bound}`))
  if (!isPair) throw invalidField('periodField', 'The list has no such range of dates')
}

const ofSummaries = ['measures', 'groupBy', 'top', 'convertTo'] as const
const ofLists = ['columns', 'limit'] as const

function checkListing(source: Question['source'], list: AskedList): void {
  refuseOthers(source, ofSummaries)
  if (!source.columns) throw invalidField(['source', 'columns'], 'A list needs columns')
  requireColumns(list, source.columns, ['source', 'columns'])
}

function checkSummary(
  { type, source }: Question,
  { summary, customFields }: AskedList,
  query: Readonly<Record<string, string>>,
): void {
  refuseOthers(source, ofLists)
  const { measures = [], groupBy = [], sort, top, convertTo } = source
  const isDrawn = type === 'BAR' || type === 'LINE' || type === 'FUNNEL' || type === 'DONUT'
  if (isDrawn && groupBy.length === 0) throw invalidField(['source', 'groupBy'], 'It needs a field to group by')
  const asked = { measures, groupBy, sort, top, convertTo, timezone: undefined, weekStart: undefined }
  inFields(['source'], () => readQuestion(asked, summary.summarized, customFields, query['currency'] !== undefined))
}

function refuseOthers(source: Question['source'], names: readonly (keyof Question['source'])[]): void {
  const other = names.find((name) => source[name] !== undefined)
  if (other !== undefined) throw invalidField(['source', other], 'Not for a widget of this type')
}
