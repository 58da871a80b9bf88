import { Radio } from '@mantine/core'
import type { CSSProperties } from 'react'
import { FieldValue } from './field-value.tsx'
import { differingFields } from './merge-plan.ts'
import type { AnyRecord } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import classes from './side-by-side.module.css'

interface SideBySideProps {
  readonly kind: Kind
  /** The records that become one; the first one stays where nothing else is chosen. */
  readonly records: readonly AnyRecord[]
  /** The record whose value is kept, by field. */
  readonly preferred: Readonly<Record<string, string>>
  onPrefer(preferred: Readonly<Record<string, string>>): void
}

/** The values in which records differ, side by side, to choose which ones stay. */
export function SideBySide({ kind, records, preferred, onPrefer }: SideBySideProps) {
  return (
    <div className={classes.fields} style={{ '--records': records.length } as CSSProperties}>
      {differingFields(kind, records).map((field) => (
        <Radio.Group
          key={field.key}
          label={field.label}
          value={preferred[field.key] ?? records[0]?.id ?? ''}
          onChange={(id) => onPrefer({ ...preferred, [field.key]: id })}
        >
          <div className={classes.values}>
            {records.map((one) => (
              <Radio key={one.id} value={one.id} label={<FieldValue field={field} kind={kind} record={one} />} />
            ))}
          </div>
        </Radio.Group>
      ))}
    </div>
  )
}
