import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useId, useState, type DragEvent } from 'react'
import { useSession } from '../../base/session.ts'
import { Icon } from '../../shell/icons.tsx'
import type { Kind } from '../record-kinds.ts'
import { columnLabel, isShowable, titleKeyOf } from './columns.ts'
import type { Density } from './list-address.ts'
import type { ListColumn } from './list-state.ts'
import classes from './work-list.module.css'
import { densityChoices } from './density-words.ts'
import { t } from '../../base/texts.ts'
import { Dialog, DialogButtons } from '../../shell/dialog.tsx'

interface ColumnsDialogProps {
  readonly kind: Kind
  readonly columns: readonly ListColumn[]
  /** Undefined for the density that the person chose. */
  readonly density: Density | undefined
  onDensity(density: Density): void
  onChange(columns: readonly ListColumn[]): void
  onReset(): void
  onClose(): void
}

/** Chooses the columns of a list and their order; the first column names the record and stays. */
export function ColumnsDialog({ kind, columns, density, onDensity, onChange, onReset, onClose }: ColumnsDialogProps) {
  const [search, setSearch] = useState('')
  const labelId = useId()
  const { person } = useSession()
  const titleKey = titleKeyOf(kind)
  const shown = columns.filter(({ key }) => key !== titleKey)
  const wanted = search.trim().toLowerCase()
  const fields = kind.fields.filter((field) => isShowable(field, kind) && field.label.toLowerCase().includes(wanted))
  const set = (next: readonly ListColumn[]) =>
    onChange([columns.find(({ key }) => key === titleKey) ?? { key: titleKey }, ...next])
  const move = (from: number, to: number) => {
    if (to < 0 || to >= shown.length || from === to) return
    const rest = shown.toSpliced(from, 1)
    const moved = shown[from]
    if (moved) set(rest.toSpliced(to, 0, moved))
  }
  return (
    <Dialog opened onClose={onClose} title={t('Columns')} size="lg">
      <div className={classes.columnsDialog}>
        <Stack gap="xs">
          <TextInput
            type="search"
            aria-label={t('Search fields')}
            placeholder={t('Search fields')}
            value={search}
            data-autofocus
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <div className={classes.fieldChoice} role="group" aria-label={t('Fields')}>
            {fields.map(({ key, label }) => (
              <Checkbox
                key={key}
                size="xs"
                label={label}
                checked={shown.some((column) => column.key === key)}
                onChange={({ currentTarget }) =>
                  set(currentTarget.checked ? [...shown, { key }] : shown.filter((column) => column.key !== key))
                }
              />
            ))}
            {fields.length === 0 && <span className={classes.hint}>{t('No such field')}</span>}
          </div>
        </Stack>
        <div>
          <h3 className={classes.orderTitle}>{t('Order')}</h3>
          <ol className={classes.order} aria-label={t('Shown columns')}>
            {shown.map(({ key }, at) => (
              <OrderedColumn
                key={key}
                label={columnLabel(key, kind)}
                at={at}
                isLast={at === shown.length - 1}
                onMove={move}
              />
            ))}
          </ol>
        </div>
      </div>
      <Group mt="md" gap="sm">
        <span id={labelId}>{t('Row height')}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby={labelId}
          data={densityChoices}
          value={density ?? person.density ?? 'compact'}
          onChange={onDensity}
        />
      </Group>
      <DialogButtons justify="space-between" mt="md">
        <Button variant="subtle" onClick={onReset}>
          {t('Reset columns')}
        </Button>
        <Button onClick={onClose}>{t('Done')}</Button>
      </DialogButtons>
    </Dialog>
  )
}

interface OrderedColumnProps {
  readonly label: string
  readonly at: number
  readonly isLast: boolean
  onMove(from: number, to: number): void
}

const dragType = 'application/x-crm-column'

function OrderedColumn({ label, at, isLast, onMove }: OrderedColumnProps) {
  const drop = (event: DragEvent) => {
    event.preventDefault()
    onMove(Number(event.dataTransfer.getData(dragType)), at)
  }
  return (
    <li
      className={classes.ordered}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(dragType, String(at))}
      onDragOver={(event) => event.dataTransfer.types.includes(dragType) && event.preventDefault()}
      onDrop={drop}
    >
      <span className={classes.orderedName}>{label}</span>
      <ActionIcon
        size="sm"
        disabled={at === 0}
        aria-label={t('Move {label} up', { label })}
        onClick={() => onMove(at, at - 1)}
      >
        <Icon name="up" size={14} />
      </ActionIcon>
      <ActionIcon
        size="sm"
        disabled={isLast}
        aria-label={t('Move {label} down', { label })}
        onClick={() => onMove(at, at + 1)}
      >
        <Icon name="down" size={14} />
      </ActionIcon>
    </li>
  )
}
