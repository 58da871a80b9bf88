import type { DashboardRecord } from '@crm/contract'
import type { Widget } from './questions.ts'
import { t } from './texts.ts'

/** The dashboard that every workspace has besides its own ones. */
export type BuiltIn = Pick<DashboardRecord, 'name' | 'period'> & { readonly widgets: readonly Widget[] }

type Draft = Pick<Widget, 'id' | 'type' | 'title' | 'w' | 'source'>

/** Returns the built-in dashboard; amounts are in the currency of the workspace. */
export function salesOverview(convertTo: string): BuiltIn {
  const conditions = (...and: object[]) => ({ filter: JSON.stringify({ and }) })
  const drafts: readonly Draft[] = [
    {
      id: 'pipeline',
      type: 'FUNNEL',
      title: t('Pipeline by stage'),
      w: 6,
      source: {
        resource: 'deals',
        query: conditions({ field: 'status', op: 'is', value: 'OPEN' }),
        measures: ['sum:amount', 'count'],
        groupBy: ['stageId'],
        convertTo,
      },
    },
    {
      id: 'won-and-lost',
      type: 'BAR',
      title: t('Won and lost'),
      w: 6,
      source: {
        resource: 'deals',
        query: conditions(
          { field: 'status', op: 'in', value: ['WON', 'LOST'] },
          { field: 'closedAt', op: 'gte', value: 'startOfMonth-5m' },
        ),
        measures: ['sum:amount', 'count'],
        groupBy: ['closedAt:month', 'status'],
        convertTo,
      },
    },
    {
      id: 'forecast',
      type: 'BAR',
      title: t('Forecast'),
      w: 6,
      source: {
        resource: 'deals',
        query: conditions(
          { field: 'status', op: 'is', value: 'OPEN' },
          { field: 'expectedCloseDate', op: 'gte', value: 'startOfMonth' },
        ),
        measures: ['weighted:amount', 'sum:amount', 'count'],
        groupBy: ['expectedCloseDate:month'],
        top: 6,
        sort: 'key:asc',
        convertTo,
      },
    },
    {
      id: 'sources',
      type: 'DONUT',
      title: t('Lead sources'),
      w: 6,
      source: { resource: 'leads', query: {}, measures: ['count'], groupBy: ['sourceId'], top: 8 },
    },
    {
      id: 'activity',
      type: 'BAR',
      title: t('Activity by person'),
      w: 12,
      source: {
        resource: 'activities',
        query: conditions({ field: 'createdAt', op: 'gte', value: '-30d' }),
        measures: ['count'],
        groupBy: ['ownerId', 'type'],
      },
    },
  ]
  return {
    name: t('Sales overview'),
    period: null,
    widgets: drafts.map((draft) => ({ ...draft, x: 0, y: 0, h: 4, periodField: null, isAvailable: true })),
  }
}
