import type { ActivityRecord } from '@crm/contract'
import type { Tone } from '../../shell/pill.tsx'

/** The colours of the states of activities. */
export const activityTones: Readonly<Record<ActivityRecord['status'], Tone>> = {
  PLANNED: 'blue',
  DONE: 'green',
  CANCELLED: 'neutral',
}
