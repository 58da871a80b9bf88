import { Button } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from './icons.tsx'

/** Copies a text, and says that it did. */
export function CopyButton({
  text,
  label = 'Copy',
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
        {outcome === null ? label : outcome === 'copied' ? 'Copied' : 'Select and copy it'}
      </span>
    </Button>
  )
}

/** Pages that were not loaded over https have no clipboard; there the old command still works. */
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
  // Inside an open dialog: it would take the focus back from anything outside of it.
  const place = document.querySelector('[role="dialog"]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
