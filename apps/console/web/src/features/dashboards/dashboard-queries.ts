import type { DashboardRecord, Summary } from '@crm/contract'
import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { converted } from '../../base/converted.ts'
import { summedInOwnDays } from '../../base/moments.ts'
import { callsOf, type AnyPage } from '../../records/record-calls.ts'
import { expansionOf, firstOf } from '../../records/list/list-state.ts'
import { entityTypeOf, queryOf, type Widget } from './questions.ts'

/** The dashboards that the person may see. */
export const dashboardsQuery = queryOptions({
  queryKey: ['dashboards', 'list'],
  queryFn: async ({ signal }) => (await crm.dashboards.list({ query: { pageSize: 50 }, signal })).items,
})

type Summing = (args: {
  readonly params: object
  readonly query: object
  readonly signal: AbortSignal
}) => Promise<Summary>

function summing(resource: string, client: typeof crm): Summing {
  const all = client as unknown as Readonly<Record<string, { summary?: Summing }>>
  const ask = all[resource]?.summary ?? all['customRecords']?.summary
  if (ask === undefined) throw new Error(`The API has no summary of ${resource}.`)
  return ask
}

/** The answer to a widget: a summary, or the records of a list. */
export type Answer = { readonly summary: Summary } | { readonly records: AnyPage['items'] }

/** Asks the question of a widget. */
export const answerQuery = (widget: Widget, period: DashboardRecord['period']) =>
  queryOptions({
    queryKey: ['dashboards', 'answer', widget.type, widget.source, widget.periodField, period],
    queryFn: async ({ signal }): Promise<Answer> => {
      const { source, type } = widget
      const asked = queryOf(widget, period)
      const params = { key: entityTypeOf(source.resource).toLowerCase() }
      if (type === 'LIST') {
        const { sort, ...query } = asked
        const entityType = entityTypeOf(source.resource)
        const [key, order] = sort?.split(':') ?? []
        const list = {
          ...query,
          ...expansionOf(entityType, source.columns ?? []),
          ...firstOf(
            entityType,
            source.limit ?? 10,
            key ? { key, order: order === 'asc' ? 'asc' : 'desc' } : undefined,
          ),
        }
        return { records: (await callsOf(entityType).list(list, signal)).items }
      }
      const { convertTo, ...plain } = asked
      const question = summedInOwnDays(plain)
      const ask = (query: object, client: typeof crm) => summing(source.resource, client)({ params, query, signal })
      return { summary: await (convertTo === undefined ? ask(question, crm) : converted(question, convertTo, ask)) }
    },
    staleTime: 60_000,
  })

/** The saved views of a kind, by which a widget can filter. */
export const savedViewsQuery = (entityType: string) =>
  queryOptions({
    queryKey: ['savedFilters', 'of dashboards', entityType],
    queryFn: async ({ signal }) =>
      (await crm.savedFilters.list({ query: { entityType, pageSize: 100 }, signal })).items,
  })
