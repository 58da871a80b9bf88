import type { Tone } from '../../shell/pill.tsx'
import { t } from '../../base/texts.ts'

/** The states of jobs that move data, in words. */
export const importStates: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  QUEUED: { label: t('transfers.waiting'), tone: 'neutral' },
  RUNNING: { label: t('transfers.running'), tone: 'blue' },
  DONE: { label: t('common.done'), tone: 'green' },
  FAILED: { label: t('transfers.failed'), tone: 'red' },
  CANCELLED: { label: t('common.cancelled'), tone: 'neutral' },
  REVERTING: { label: t('transfers.beingTakenBack'), tone: 'amber' },
  REVERTED: { label: t('transfers.undone'), tone: 'neutral' },
}
