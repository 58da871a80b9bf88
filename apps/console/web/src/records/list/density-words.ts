import { densities } from '@crm/contract'
import { t } from '../../base/texts.ts'

const names: Readonly<Record<(typeof densities)[number], string>> = {
  compact: t('Compact'),
  comfortable: t('Comfortable'),
}

/** The heights of rows to choose from. */
export const densityChoices = densities.map((value) => ({ value, label: names[value] }))
