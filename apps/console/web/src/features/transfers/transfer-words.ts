import type { Tone } from '../../shell/pill.tsx'
import { t } from '../../base/texts.ts'

/** The states of jobs that move data, in words. */
export const importStates: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  QUEUED: { label: t('Waiting'), tone: 'neutral' },
  RUNNING: { label: t('Running'), tone: 'blue' },
  DONE: { label: t('Done'), tone: 'green' },
  FAILED: { label: t('Failed', { context: 'an import' }), tone: 'red' },
  CANCELLED: { label: t('Cancelled'), tone: 'neutral' },
  REVERTING: { label: t('Undoing'), tone: 'amber' },
  REVERTED: { label: t('Undone', { context: 'an import' }), tone: 'neutral' },
}
