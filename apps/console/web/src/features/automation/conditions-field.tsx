import { conditionOps, type ConditionStep } from '@crm/contract'
import { ActionIcon, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import { readValue, showValue } from './workflow-draft.ts'

type Conditions = ConditionStep['if']

const opNames: Readonly<Record<(typeof conditionOps)[number], string>> = {
  EQ: 'is',
  NE: 'is not',
  IN: 'is one of',
  GT: 'is more than',
  LT: 'is less than',
  CONTAINS: 'contains',
  CHANGED_TO: 'changed to',
}

interface ConditionsFieldProps {
  readonly conditions: Conditions
  /** The paths that may be compared. */
  readonly variables: readonly string[]
  readonly error?: string | undefined
  onChange(conditions: Conditions): void
}

/** Comparisons that must all hold; an empty list always holds. */
export function ConditionsField({ conditions, variables, error, onChange }: ConditionsFieldProps) {
  const change = (at: number, part: Partial<Conditions[number]>) =>
    onChange(conditions.map((condition, place) => (place === at ? { ...condition, ...part } : condition)))
  return (
    <Stack gap="xs" role="group" aria-label="Conditions">
      <Text size="sm" fw={500}>
        Only if all of these hold
      </Text>
      <datalist id="condition-paths">
        {variables.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {conditions.map(({ field, op, value }, at) => (
        // Conditions have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes.condition}>
          <TextInput
            aria-label={`Condition ${at + 1}: field`}
            placeholder="data.status"
            list="condition-paths"
            value={field}
            onChange={(event) => change(at, { field: event.currentTarget.value })}
            autoComplete="off"
          />
          <NativeSelect
            aria-label={`Condition ${at + 1}: comparison`}
            value={op}
            onChange={(event) => change(at, { op: event.currentTarget.value as typeof op })}
            data={conditionOps.map((name) => ({ value: name, label: opNames[name] }))}
          />
          <TextInput
            aria-label={`Condition ${at + 1}: value`}
            placeholder={op === 'IN' ? '["A", "B"]' : ''}
            defaultValue={showValue(value ?? '')}
            onChange={(event) => change(at, { value: readValue(event.currentTarget.value) ?? null })}
            autoComplete="off"
          />
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Remove condition ${at + 1}`}
            onClick={() => onChange(conditions.filter((_, place) => place !== at))}
          >
            ×
          </ActionIcon>
        </div>
      ))}
      {error !== undefined && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...conditions, { field: '', op: 'EQ', value: '' }])}
        >
          Add a condition
        </Button>
      </div>
    </Stack>
  )
}
