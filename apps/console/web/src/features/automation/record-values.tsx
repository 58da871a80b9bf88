import { daysOf, inDaysMax } from '@crm/contract'
import { ActionIcon, Button, Input, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { FieldControl } from '../../records/field-control.tsx'
import { draftOf, wireOf } from '../../records/field-values.ts'
import type { Field, Kind } from '../../records/record-kinds.ts'
import { withStages } from '../../records/stage-options.ts'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import { DataPicker } from './data-picker.tsx'
import { TokenField } from './token-field.tsx'
import { expressionName, expressionOf, type Variable } from './variables.ts'
import { readFields, writeFields, type Values } from './values.ts'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'

interface RecordValuesProps {
  readonly kind: Kind
  readonly values: Values
  readonly variables: readonly Variable[]
  /** The fields that are shown elsewhere. */
  readonly without?: readonly string[]
  readonly error?: string | undefined
  onChange(values: Values): void
}

/** The values of a record's fields, one row each. */
export function RecordValues({ kind, values, variables, without = [], error, onChange }: RecordValuesProps) {
  const [isAdding, setAdding] = useState(false)
  const set = readFields(kind, values)
  const writable = kind.fields.filter(
    (field) => !field.readOnly && !without.includes(field.key) && field.type !== 'OTHER',
  )
  const rows = writable.filter(({ key }) => key in set)
  const free = writable.filter(({ key }) => !(key in set))
  const change = (next: Values) => onChange(writeFields(kind, values, next))
  const choose = (key: string | null, instead?: string) => {
    if (key === null) return
    setAdding(false)
    const { [instead ?? '']: _gone, ...others } = set
    change({ ...others, [key]: null })
  }
  const choices = (field?: Field) =>
    (field === undefined ? free : [field, ...free]).map(({ key, label }) => ({ value: key, label }))
  return (
    <Stack gap="sm" role="group" aria-label={t('Fields')}>
      {rows.map((field) => (
        <div key={field.key} className={classes.value} role="group" aria-label={field.label}>
          <TypedSelect
            label={t('Field')}
            searchable
            data={choices(field)}
            value={field.key}
            onChange={(key) => key !== field.key && choose(key, field.key)}
          />
          <FieldValue
            field={{ ...withStages(field, kind), label: t('Value') }}
            kind={kind}
            value={set[field.key]}
            variables={variables}
            onChange={(value) => change({ ...set, [field.key]: value })}
          />
          <ActionIcon
            className={classes.removeValue}
            variant="subtle"
            aria-label={t('Remove {field}', { field: field.label })}
            onClick={() => {
              const { [field.key]: _gone, ...others } = set
              change(others)
            }}
          >
            <Icon name="cross" size={14} />
          </ActionIcon>
        </div>
      ))}
      {isAdding && (
        <div className={classes.value}>
          <TypedSelect
            label={t('Field')}
            searchable
            data={choices()}
            value={null}
            placeholder={t('Choose a field')}
            autoFocus
            onChange={(key) => choose(key)}
          />
        </div>
      )}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          disabled={free.length === 0 || isAdding}
          onClick={() => setAdding(true)}
        >
          {t('Add field')}
        </Button>
      </div>
    </Stack>
  )
}

const textTypes: readonly Field['type'][] = ['TEXT', 'LONG_TEXT', 'EMAIL', 'PHONE']

interface FieldValueProps {
  readonly field: Field
  readonly kind: Kind
  readonly value: unknown
  readonly variables: readonly Variable[]
  onChange(value: unknown): void
}

/** The value of one field: in the control of its type, or data that is filled in when the step runs. */
export function FieldValue({ field, kind, value, variables, onChange }: FieldValueProps) {
  const expression = expressionOf(value)
  const days = daysOf(value)
  if (textTypes.includes(field.type))
    return (
      <TokenField
        label={field.label}
        value={typeof value === 'string' ? value : ''}
        variables={variables}
        isLong={field.type === 'LONG_TEXT'}
        onChange={onChange}
      />
    )
  if (expression !== undefined)
    return (
      <div role="group" aria-label={field.label}>
        <Input.Label labelElement="div">{field.label}</Input.Label>
        <div className={classes.tokens}>
          <span className={classes.tokenText}>
            <span className={classes.token}>{expressionName(expression, variables)}</span>
          </span>
          <ActionIcon variant="subtle" size={30} aria-label={t('Remove data')} onClick={() => onChange(null)}>
            <Icon name="cross" size={14} />
          </ActionIcon>
        </div>
      </div>
    )
  if (days !== undefined) return <DaysAhead days={days} onChange={onChange} />
  const takesDays = (field.type === 'DATE' || field.type === 'DATETIME') && field.group !== 'CUSTOM'
  const fitting = variables.filter((variable) => fits(variable, field))
  return (
    <div className={classes.withData}>
      <FieldControl
        // The row is removed to leave the field alone, so its control needs no way to be emptied.
        field={{ ...field, required: true, default: null, group: 'CUSTOM' }}
        kind={kind}
        draft={draftOf(field, value)}
        onChange={(draft) => onChange(wireOf(field, draft))}
      />
      {takesDays && (
        <ActionIcon
          variant="subtle"
          size={30}
          aria-label={t('Count days from when the step runs')}
          title={t('Count days from when the step runs')}
          onClick={() => onChange({ inDays: 0 })}
        >
          <Icon name="clock" size={16} />
        </ActionIcon>
      )}
      <DataPicker label={field.label} variables={fitting} onPick={({ path }) => onChange(`{{${path}}}`)} />
    </div>
  )
}

/** A day that is counted from the one on which the step runs. */
function DaysAhead({ days, onChange }: { readonly days: number; onChange(value: unknown): void }) {
  return (
    <div className={classes.withData}>
      <NumberInput
        label={t('Days after the step runs')}
        description={t('0 is the same day.')}
        min={0}
        max={inDaysMax}
        allowDecimal={false}
        clampBehavior="strict"
        value={days}
        onChange={(count) => onChange({ inDays: Number(count) || 0 })}
      />
      <ActionIcon
        variant="subtle"
        size={30}
        aria-label={t('Choose a date')}
        title={t('Choose a date')}
        onClick={() => onChange(null)}
      >
        <Icon name="calendar" size={16} />
      </ActionIcon>
    </div>
  )
}

/** Whether data can be the value of a field: a reference takes records of its kind only. */
function fits({ references, field: from }: Variable, { type, references: wanted }: Field): boolean {
  if (type === 'REFERENCE') return references === wanted
  return from === undefined || from.type === type
}
