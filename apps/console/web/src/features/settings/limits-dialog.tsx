import { Checkbox, NativeSelect, NumberInput, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { t } from './texts.ts'

/** A key or a connection, as far as its limits go. */
type Held = Pick<
  Awaited<ReturnType<typeof settings.connections.list>>['items'][number],
  'name' | 'writes' | 'limits' | 'confirm' | 'used'
>
type Limits = Held['limits']

interface LimitsDialogProps {
  readonly held: Held
  /** The first key of the query that shows it. */
  readonly queryKey: string
  save(control: Pick<Held, 'writes' | 'limits' | 'confirm'>): Promise<unknown>
  onClose(): void
}

const modes = [
  { value: 'DIRECT', label: t('happen at once') },
  { value: 'PROPOSE', label: t('wait for approval') },
  { value: 'PROPOSE_DESTRUCTIVE', label: t('wait where they cannot be taken back') },
] as const satisfies readonly { readonly value: Held['writes']; readonly label: string }[]

/** What a key or a client does by itself, in words. */
export const modeNames = Object.fromEntries(modes.map(({ value, label }) => [value, label])) as Record<
  Held['writes'],
  string
>

const limitNames = {
  writesPerDay: t('Changes a day'),
  deletesPerDay: t('Deletions a day'),
  recordsPerCall: t('Records in one call'),
} as const satisfies Record<keyof Limits, string>

/** Asks what a key or a client may do by itself, and how much. */
export function LimitsDialog({ held, queryKey, save, onClose }: LimitsDialogProps) {
  const client = useQueryClient()
  const [limits, setLimits] = useState<Limits>(held.limits)
  const saving = useMutation({
    mutationFn: (form: FormData) => save({ ...heldIn(form), limits }),
    onSuccess: () => {
      notify(t('Limits saved'))
      onClose()
      return client.invalidateQueries({ queryKey: [queryKey] })
    },
  })
  const usedOf: Partial<Record<keyof Limits, number>> = {
    writesPerDay: held.used.writes,
    deletesPerDay: held.used.deletes,
  }
  return (
    <FormDialog
      opened
      title={t('Limits of {name}', { name: held.name })}
      submit={t('Save')}
      isBusy={saving.isPending}
      error={saving.error}
      onSubmit={saving.mutate}
      onClose={onClose}
    >
      <HoldingFields held={held} />
      <Text size="sm">{t('Empty: no limit')}</Text>
      {(Object.keys(limitNames) as (keyof Limits)[]).map((name) => (
        <NumberInput
          key={name}
          label={limitNames[name]}
          description={usedOf[name] === undefined ? undefined : t('Used today: {count}', { count: usedOf[name] })}
          value={limits[name] ?? ''}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          onChange={(value) => setLimits({ ...limits, [name]: typeof value === 'number' ? value : null })}
        />
      ))}
    </FormDialog>
  )
}

/** Asks what a key or a client does by itself, and whether it asks first. */
export function HoldingFields({ held }: { readonly held: Pick<Held, 'writes' | 'confirm'> }) {
  return (
    <>
      <NativeSelect name="writes" label={t('Its changes')} defaultValue={held.writes} data={[...modes]} />
      <Checkbox
        name="confirm"
        label={t('Ask the person before what cannot be taken back')}
        description={t('Needs a client that can ask. Others are refused.')}
        defaultChecked={held.confirm}
      />
    </>
  )
}

/** Reads these fields. */
export function heldIn(form: FormData): Pick<Held, 'writes' | 'confirm'> {
  return { writes: textIn(form, 'writes') as Held['writes'], confirm: form.get('confirm') !== null }
}
