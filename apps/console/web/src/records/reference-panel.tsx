import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { fieldErrors } from '../base/refusals.ts'
import { useChange } from '../shell/changes.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { FormDialog } from '../shell/form-dialog.tsx'
import { EmptyState } from '../shell/states.tsx'
import { RowButton, type Column } from './record-table.tsx'
import { TablePanel } from './table-panel.tsx'
import { named, t } from '../base/texts.ts'

/** The fields of a form for a row; the row is absent for a new one. */
export interface ReferenceFieldsProps<Row> {
  readonly row: Row | undefined
  readonly errors: Readonly<Record<string, string>>
}

/** A kind of reference data: how it is read, shown and changed. */
export interface ReferenceKind<Row> {
  readonly title: string
  readonly note?: ReactNode
  readonly noun: string
  /** The query key of its rows; after a change, all queries with the same beginning are read again. */
  readonly key: readonly [string, ...string[]]
  read(signal: AbortSignal): Promise<readonly Row[]>
  /** Returns the name of a row for people. */
  nameOf(row: Row): string
  /** The columns besides the name. */
  readonly columns: readonly Column<Row>[]
  /** Returns the depth of a row below the top, in a tree. */
  depthOf?(row: Row): number
  /** Returns the content after the name. */
  markOf?(row: Row): ReactNode
  readonly Fields: ComponentType<ReferenceFieldsProps<Row>>
  save(row: Row | undefined, form: FormData): Promise<unknown>
  remove(row: Row): Promise<unknown>
  /** Whether a row may be deleted; true for all rows when absent. */
  mayGo?(row: Row): boolean
}

interface ReferencePanelProps<Row> {
  readonly kind: ReferenceKind<Row>
  readonly mayChange: boolean
}

/** Shows all rows of a kind of reference data, and lets people add, change and delete them. */
export function ReferencePanel<Row extends { readonly id: string }>({ kind, mayChange }: ReferencePanelProps<Row>) {
  const [edited, setEdited] = useState<Row | 'new' | null>(null)
  const [removed, setRemoved] = useState<Row | null>(null)
  const rows = useQuery({ queryKey: kind.key, queryFn: ({ signal }) => kind.read(signal) })
  const add = mayChange && (
    <Button variant="default" size="xs" aria-label={t('New {noun}', named(kind.noun))} onClick={() => setEdited('new')}>
      {t('New')}
    </Button>
  )
  return (
    <>
      <TablePanel
        title={kind.title}
        note={kind.note}
        add={add}
        label={kind.title}
        reading={rows}
        empty={<EmptyState title={t('Nothing here yet')} />}
        columns={[
          {
            label: t('Name'),
            cell: (row) => (
              <div style={{ paddingInlineStart: `${(kind.depthOf?.(row) ?? 0) * 1.25}rem` }}>
                <b>{kind.nameOf(row)}</b> {kind.markOf?.(row)}
              </div>
            ),
          },
          ...kind.columns,
        ]}
        actions={
          mayChange &&
          ((row) => (
            <>
              <RowButton verb={t('Edit')} name={kind.nameOf(row)} onClick={() => setEdited(row)} />
              {(kind.mayGo?.(row) ?? true) && (
                <RowButton verb={t('Delete')} name={kind.nameOf(row)} isDestructive onClick={() => setRemoved(row)} />
              )}
            </>
          ))
        }
      />
      {edited !== null && (
        <EditDialog kind={kind} row={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      )}
      {removed !== null && <RemoveDialog kind={kind} row={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

interface RowDialogProps<Row, Shown> {
  readonly kind: ReferenceKind<Row>
  readonly row: Shown
  onClose(): void
}

function EditDialog<Row>({ kind, row, onClose }: RowDialogProps<Row, Row | undefined>) {
  const { noun, Fields } = kind
  const save = useChange((form: FormData) => kind.save(row, form), {
    said: t('Saved'),
    stale: kind.key.slice(0, 1),
    onDone: onClose,
  })
  const errors = fieldErrors(save.error)
  const isShown = Object.keys(errors).length > 0
  return (
    <FormDialog
      opened
      title={row === undefined ? t('New {noun}', named(noun)) : t('Edit the {noun}', named(noun))}
      submit={t('Save')}
      isBusy={save.isPending}
      error={isShown ? null : save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      <Fields row={row} errors={errors} />
    </FormDialog>
  )
}

function RemoveDialog<Row>({ kind, row, onClose }: RowDialogProps<Row, Row>) {
  const remove = useChange(() => kind.remove(row), {
    said: t('Deleted'),
    stale: kind.key.slice(0, 1),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Delete this {noun}?', named(kind.noun))}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      {t.rich('<b>{row}</b> can no longer be chosen. It cannot be deleted while it is in use.', {
        row: kind.nameOf(row),
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}
