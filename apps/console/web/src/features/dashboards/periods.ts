import { t } from '../../base/texts.ts'

/** A span of time that moves with the days, in the words of the API. */
interface Period {
  readonly label: string
  readonly from: string
  readonly to: string
}

/** The periods that a dashboard offers. */
export const knownPeriods: readonly Period[] = [
  { label: t('dashboards.thisWeek'), from: 'startOfWeek', to: 'endOfWeek' },
  { label: t('dashboards.last30Days'), from: '-30d', to: 'today' },
  { label: t('dashboards.thisMonth'), from: 'startOfMonth', to: 'endOfMonth' },
  { label: t('dashboards.lastMonth'), from: 'startOfMonth-1m', to: 'endOfMonth-1m' },
  { label: t('dashboards.thisQuarter'), from: 'startOfQuarter', to: 'endOfQuarter' },
  { label: t('dashboards.lastQuarter'), from: 'startOfQuarter-1q', to: 'endOfQuarter-1q' },
  { label: t('dashboards.thisYear'), from: 'startOfYear', to: 'endOfYear' },
]
