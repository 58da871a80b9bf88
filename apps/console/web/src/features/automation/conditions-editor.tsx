import { ActionIcon, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { FilterDialog } from '../../records/list/filter-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import { comparableKind, toGroup, triggerPath, withGroup, type Conditions } from './conditions.ts'
import { conditionInWords, type Words } from './summary.ts'
import type { Variable } from './variables.ts'
import { t } from './texts.ts'

interface ConditionsEditorProps {
  readonly conditions: Conditions
  /** The data that can be compared. */
  readonly variables: readonly Variable[]
  readonly words: Words
  /** Whether they are the conditions of a trigger. */
  readonly isOfTrigger?: boolean
  readonly error?: string | undefined
  onChange(conditions: Conditions): void
}

/** Conditions that must all hold, in words; the filter dialog of lists changes them. */
export function ConditionsEditor({
  conditions,
  variables,
  words,
  isOfTrigger = false,
  error,
  onChange,
}: ConditionsEditorProps) {
  const [isOpen, setOpen] = useState(false)
  const kind = comparableKind(variables, words.kinds, isOfTrigger ? triggerPath : undefined)
  return (
    <Stack gap={6} role="group" aria-label={t('Only if')}>
      <Text size="sm" fw={500}>
        {t('Only if')}
      </Text>
      {conditions.length > 0 && (
        <ul className={classes.conditions}>
          {conditions.map((condition) => {
            const text = conditionInWords(condition, words, isOfTrigger)
            return (
              <li key={JSON.stringify(condition)} className={classes.condition}>
                <bdi>{text}</bdi>
                <ActionIcon
                  size={24}
                  variant="subtle"
                  aria-label={t('Remove filter {text}', { text })}
                  onClick={() => onChange(conditions.filter((one) => one !== condition))}
                >
                  <Icon name="cross" size={12} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
      )}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {kind.fields.length > 0 ? (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="filter" size={14} />}
            onClick={() => setOpen(true)}
          >
            {conditions.length === 0 ? t('Add condition') : t('Edit conditions')}
          </Button>
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          {t('There is no data to compare yet.')}
        </Text>
      )}
      {isOpen && (
        <FilterDialog
          kind={kind}
          group={toGroup(conditions, kind)}
          isStrict
          onApply={(group) => {
            setOpen(false)
            onChange(withGroup(conditions, group, kind))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Stack>
  )
}
