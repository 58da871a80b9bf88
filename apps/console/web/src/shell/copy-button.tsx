import { Button } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from './icons.tsx'
import { t } from '../base/texts.ts'
import { copyText } from '../base/without-https.ts'

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label = t('Copy'),
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
        {outcome === null ? label : outcome === 'copied' ? t('Copied') : t('Select and copy it')}
      </span>
    </Button>
  )
}
