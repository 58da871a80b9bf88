import type { LeadRecord } from '@crm/contract'
import { inWords } from '../../records/field-words.ts'
import { Nothing } from '../../shell/nothing.tsx'
import { Pill, type Tone } from '../../shell/pill.tsx'
import classes from './lead-marks.module.css'

const statusTones: Readonly<Record<LeadRecord['status'], Tone>> = {
  NEW: 'blue',
  IN_PROGRESS: 'teal',
  QUALIFIED: 'green',
  CONVERTED: 'green',
  UNQUALIFIED: 'neutral',
}
const temperatureTones: Readonly<Record<NonNullable<LeadRecord['temperature']>, Tone>> = {
  HOT: 'red',
  WARM: 'amber',
  COLD: 'blue',
}

/** The status of a lead. */
export function StatusMark({ status }: Pick<LeadRecord, 'status'>) {
  return <Pill tone={statusTones[status]}>{inWords(status)}</Pill>
}

/** The temperature of a lead; a dash when it is not set. */
export function TemperatureMark({ temperature }: Pick<LeadRecord, 'temperature'>) {
  return temperature === null ? <Nothing /> : <Pill tone={temperatureTones[temperature]}>{inWords(temperature)}</Pill>
}

/** The score of a lead, as a figure and as a bar. */
export function ScoreMark({ score }: Pick<LeadRecord, 'score'>) {
  return (
    <span className={classes.score}>
      <span className={classes.figure}>{score}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${score}%` }} />
      </span>
    </span>
  )
}
