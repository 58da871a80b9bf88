import { ActionIcon, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import { TokenField } from './token-field.tsx'
import type { Variable } from './variables.ts'
import { t } from './texts.ts'

type Row = readonly [name: string, value: string]

interface NamedValuesProps {
  readonly label: string
  readonly values: Readonly<Record<string, unknown>>
  /** The data that values may hold; undefined where they are plain texts, as in headers. */
  readonly variables?: readonly Variable[]
  readonly error?: string | undefined
  onChange(values: Record<string, string>): void
}

/** Names with texts, one row each. */
export function NamedValues({ label, values, variables, error, onChange }: NamedValuesProps) {
  // A row without a name is no value yet, so there may be more rows than values.
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  const change = (next: readonly Row[]) => {
    setRows(next)
    onChange(Object.fromEntries(next.map(([name, value]) => [name.trim(), value]).filter(([name]) => name !== '')))
  }
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {rows.map(([name, value], at) => (
        // Rows have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes.value}>
          <TextInput
            label={t('Name')}
            value={name}
            autoComplete="off"
            onChange={(event) => change(rows.with(at, [event.currentTarget.value, value]))}
          />
          {variables === undefined ? (
            <TextInput
              label={t('Value')}
              value={value}
              autoComplete="off"
              onChange={(event) => change(rows.with(at, [name, event.currentTarget.value]))}
            />
          ) : (
            <TokenField
              label={t('Value')}
              value={value}
              variables={variables}
              onChange={(text) => change(rows.with(at, [name, text]))}
            />
          )}
          <ActionIcon
            className={classes.removeValue}
            variant="subtle"
            aria-label={t('Remove {field}', { field: name })}
            onClick={() => change(rows.toSpliced(at, 1))}
          >
            <Icon name="cross" size={14} />
          </ActionIcon>
        </div>
      ))}
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
          onClick={() => change([...rows, ['', '']])}
        >
          {t('Add to {label}', { label })}
        </Button>
      </div>
    </Stack>
  )
}
