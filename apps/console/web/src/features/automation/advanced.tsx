import { Button, Collapse, Stack, Textarea } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { t } from './texts.ts'

interface AdvancedProps {
  readonly label?: string
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Settings for those who know the names that the API uses. */
export function Advanced({ label = t('Advanced'), isOpen: begins = false, children }: AdvancedProps) {
  const [isOpen, setOpen] = useState(begins)
  const id = useId()
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon name={isOpen ? 'up' : 'down'} size={14} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && (
          <Stack gap="sm" pt="sm">
            {children}
          </Stack>
        )}
      </Collapse>
    </div>
  )
}

interface JsonFieldProps<T extends object> {
  readonly label: string
  readonly value: T
  onChange(value: T): void
}

/** A value as JSON. A text that is no object is marked, and the last good one stays. */
export function JsonField<T extends object>({ label, value, onChange }: JsonFieldProps<T>) {
  const [text, setText] = useState<string | null>(null)
  const isWrong = text !== null && objectIn(text) === undefined
  return (
    <Textarea
      label={label}
      value={text ?? JSON.stringify(value, null, 2)}
      error={isWrong ? t('This is not valid JSON.') : undefined}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        const read = objectIn(next)
        if (read !== undefined) onChange(read as T)
      }}
      onBlur={() => {
        if (!isWrong) setText(null)
      }}
    />
  )
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
