import { conditionOps, type ConditionStep } from '@crm/contract'
import { ActionIcon, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import { readValue, showValue } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

type Conditions = ConditionStep['if']

const opNames: Readonly<Record<(typeof conditionOps)[number], string>> = {
  EQ: 'is',
  NE: t('automation.isNot'),
  IN: t('automation.isOneOf'),
  GT: t('automation.isMoreThan'),
  LT: t('automation.isLessThan'),
  CONTAINS: 'contains',
  CHANGED_TO: t('automation.changedTo'),
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
    <Stack gap="xs" role="group" aria-label={t('automation.conditions')}>
      <Text size="sm" fw={500}>
        {t('automation.onlyIf')}
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
            aria-label={t('automation.conditionNumberField', { number: at + 1 })}
            placeholder={t('automation.dataStatus')}
            list="condition-paths"
            value={field}
            onChange={(event) => change(at, { field: event.currentTarget.value })}
            autoComplete="off"
          />
          <NativeSelect
            aria-label={t('automation.conditionNumberComparison', { number: at + 1 })}
            value={op}
            onChange={(event) => change(at, { op: event.currentTarget.value as typeof op })}
            data={conditionOps.map((name) => ({ value: name, label: opNames[name] }))}
          />
          <TextInput
            aria-label={t('automation.conditionNumberValue', { number: at + 1 })}
            placeholder={op === 'IN' ? '["A", "B"]' : ''}
            defaultValue={showValue(value ?? '')}
            onChange={(event) => change(at, { value: readValue(event.currentTarget.value) ?? null })}
            autoComplete="off"
          />
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('automation.removeConditionNumber', { number: at + 1 })}
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
          {t('automation.addCondition')}
        </Button>
      </div>
    </Stack>
  )
}
