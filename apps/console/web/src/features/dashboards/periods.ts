import { t } from './texts.ts'

/** A span of time that moves with the days, in the words of the API. */
interface Period {
  readonly label: string
  readonly from: string
  readonly to: string
}

/** The periods that a dashboard offers. */
export const knownPeriods: readonly Period[] = [
  { label: t('This week'), from: 'startOfWeek', to: 'endOfWeek' },
  { label: t('Last 30 days'), from: '-30d', to: 'today' },
  { label: t('This month'), from: 'startOfMonth', to: 'endOfMonth' },
  { label: t('Last month'), from: 'startOfMonth-1m', to: 'endOfMonth-1m' },
  { label: t('This quarter'), from: 'startOfQuarter', to: 'endOfQuarter' },
  { label: t('Last quarter'), from: 'startOfQuarter-1q', to: 'endOfQuarter-1q' },
  { label: t('This year'), from: 'startOfYear', to: 'endOfYear' },
]
