import { Button } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from './icons.tsx'
import { t } from '../base/texts.ts'

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label = t('common.copy'),
  size = 'sm',
}: {
  readonly text: string
  readonly label?: string
  readonly size?: 'xs' | 'sm'
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  const { start } = useTimeout(() => setOutcome(null), 2_000)
  const copy = async () => {
    setOutcome((await copyText(text)) ? 'copied' : 'failed')
    start()
  }
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">
        {outcome === null ? label : outcome === 'copied' ? t('shell.copied') : t('shell.selectAndCopyIt')}
      </span>
    </Button>
  )
}

/** Pages without https have no clipboard; there the old command still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  // The text is placed inside an open dialog, which would take the focus back from any element outside.
  const place = document.querySelector('[role="dialog"]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
