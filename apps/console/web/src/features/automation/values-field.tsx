import { ActionIcon, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { TemplateField } from '../../shell/template-field.tsx'
import classes from './automation.module.css'
import { readValue, showValue } from './workflow-draft.ts'
import { inSentence, t } from '../../base/texts.ts'

type Row = readonly [name: string, value: string]

interface ValuesFieldProps {
  readonly label: string
  readonly values: Readonly<Record<string, unknown>>
  readonly variables: readonly string[]
  readonly error?: string | undefined
  /** Whether values are texts that are never read as JSON, as in headers. */
  readonly areTexts?: boolean
  onChange(values: Record<string, unknown>): void
}

/** Names with their values, one row each; numbers, lists and other values are typed as JSON. */
export function ValuesField({ label, values, variables, error, areTexts = false, onChange }: ValuesFieldProps) {
  // A row without a name is no value yet, so there may be more rows than values.
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(values).map(([name, value]) => [name, areTexts ? String(value) : showValue(value)]),
  )
  const change = (next: readonly Row[]) => {
    setRows(next)
    onChange(
      Object.fromEntries(
        next
          .filter(([name]) => name.trim() !== '')
          .map(([name, value]) => [name.trim(), areTexts ? value : readValue(value)]),
      ),
    )
  }
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {rows.map(([name, value], at) => (
        // Rows have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes.row}>
          <TextInput
            aria-label={t('automation.labelNameNumber', { label, number: at + 1 })}
            placeholder={t('common.field')}
            value={name}
            onChange={(event) => change(rows.with(at, [event.currentTarget.value, value]))}
            autoComplete="off"
          />
          <TemplateField
            label={t('automation.labelValueNumber', { label, number: at + 1 })}
            isLabelHidden
            value={value}
            variables={variables}
            onChange={(text) => change(rows.with(at, [name, text]))}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('automation.removeRow', { label, name: name || t('automation.row') })}
            onClick={() => change(rows.toSpliced(at, 1))}
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
          onClick={() => change([...rows, ['', '']])}
        >
          {t('automation.addToLabel', { label: inSentence(label) })}
        </Button>
      </div>
    </Stack>
  )
}
