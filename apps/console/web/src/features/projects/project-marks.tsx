import type { ProjectRecord } from '@crm/contract'
import { inWords } from '../../records/field-words.ts'
import { Pill, type Tone } from '../../shell/pill.tsx'

const tones: Readonly<Record<ProjectRecord['status'], Tone>> = {
  PLANNED: 'blue',
  ACTIVE: 'teal',
  ON_HOLD: 'amber',
  COMPLETED: 'green',
  CANCELLED: 'neutral',
}

/** The status of a project. */
export function ProjectStatusMark({ status }: Pick<ProjectRecord, 'status'>) {
  return <Pill tone={tones[status]}>{inWords(status)}</Pill>
}
