import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { fieldErrors, isRefusedWith } from '../base/refusals.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { notify } from '../shell/notices.tsx'
import { textOf } from './form-changes.ts'
import { collectionOf, nounOf } from './record-place.ts'

/** The attributes of one field of a form. */
interface FieldProps {
  readonly name: string
  readonly defaultValue: string
  readonly error: string | undefined
  readonly autoComplete: 'off'
}

/** What the fields of a form need to know. */
export interface RecordFields<Row> {
  /** What is wrong with the fields, by their paths. */
  readonly errors: Readonly<Record<string, string>>
  /** The attributes of the field that holds a member of the record. */
  field(name: keyof Row & string): FieldProps
}

interface RecordFormProps<Row> {
  /** As in permissions. */
  readonly entityType: string
  /** What people call such a record, where its kind does not say. */
  readonly noun?: string
  /** The record to change; a new one without it. */
  readonly record: Row | undefined
  /** What the fields hold at first, where that is not the record. */
  readonly begin?: Partial<Row> | undefined
  /** Stands above the form, where that is not its noun. */
  readonly title?: string
  readonly size?: string
  readonly opened: boolean
  /** Writes the form. It is told the record as the form showed it at first, with the version of now: only what differs from it is sent. */
  save(form: FormData, shown: Row | undefined): Promise<{ readonly data: Row }>
  /** Goes to a record that is new. */
  open(id: string): Promise<unknown>
  onClose(): void
  children(fields: RecordFields<Row>): ReactNode
}

/** Asks for a new record, or for changes of one. */
export function RecordForm<Row extends { readonly id: string; readonly version: number }>({
  entityType,
  noun = nounOf(entityType),
  record,
  begin = record,
  title,
  size,
  opened,
  save,
  open,
  onClose,
  children,
}: RecordFormProps<Row>) {
  // Another person's change while the form is open must not be undone.
  const [shown] = useState(record)
  const client = useQueryClient()
  const collection = collectionOf(entityType)
  const writing = useMutation({
    mutationFn: (form: FormData) => save(form, shown && { ...shown, version: record?.version ?? shown.version }),
    onSuccess: async ({ data }) => {
      client.setQueryData([collection, 'one', data.id], data)
      notify(record ? 'Saved' : `The ${noun} was created`)
      onClose()
      await Promise.all(
        [[collection], ['record-name', entityType, data.id]].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
      if (!record) await open(data.id)
    },
    onError: (error) =>
      isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: [collection] }) : undefined,
  })
  const errors = fieldErrors(writing.error)
  const field = (name: keyof Row & string): FieldProps => ({
    name,
    defaultValue: textOf(begin?.[name]),
    error: errors[name],
    autoComplete: 'off',
  })
  return (
    <FormDialog
      opened={opened}
      title={title ?? `${record ? 'Edit' : 'New'} ${noun}`}
      submit={record ? 'Save' : `Create ${noun}`}
      size={size}
      isBusy={writing.isPending}
      error={writing.error}
      onSubmit={writing.mutate}
      onClose={onClose}
    >
      {children({ errors, field })}
    </FormDialog>
  )
}
