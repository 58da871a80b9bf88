import type { DealRecord } from '@crm/contract'
import { inWords } from '../../records/field-words.ts'
import { Pill, type Tone } from '../../shell/pill.tsx'

const tones: Readonly<Record<DealRecord['status'], Tone>> = { OPEN: 'blue', WON: 'green', LOST: 'neutral' }

/** Whether a deal is open, won or lost. */
export function DealStatusMark({ status }: Pick<DealRecord, 'status'>) {
  return <Pill tone={tones[status]}>{inWords(status)}</Pill>
}
