import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { collectionOf } from '../../records/record-place.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { customRecordQuery } from './entity-queries.ts'
import { FieldInput } from './field-inputs.tsx'
import { inputName, valuesIn } from './field-values.ts'

interface RecordDialogProps {
  readonly entity: CustomEntityRecord
  /** The record to change; a new one without it. */
  readonly record?: CustomRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new record of a type, or for changes of one; its fields make the form. */
export function RecordDialog({ entity, record, opened, onClose }: RecordDialogProps) {
  const { key, entityType, labels, fields } = entity
  const client = useQueryClient()
  const navigate = useNavigate()
  const noun = labels.singular
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const body = { title: textIn(form, 'title'), values: valuesIn(form, fields) }
      return record ? crm.customRecords.update({ params: { key, id: record.id }, body: { ...body, version: record.version } }) : crm.customRecords.create({ params: { key }, body })
    },
    onSuccess: async ({ data }) => {
      client.setQueryData(customRecordQuery(entity, data.id).queryKey, data)
      notify(record ? 'Saved' : `${noun} created`)
      onClose()
      await client.invalidateQueries({ queryKey: [collectionOf(entityType)] })
      if (!record) await navigate({ to: '/records/$key/$id', params: { key, id: data.id } })
    },
    onError: (error) => (isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: [collectionOf(entityType)] }) : undefined),
  })
  const errors = fieldErrors(save.error)
  return (
    <FormDialog opened={opened} title={record ? `Edit ${noun}` : `New ${noun}`} submit={record ? 'Save' : 'Create'} isBusy={save.isPending} error={save.error} onSubmit={(form) => save.mutate(form)} onClose={onClose}>
      <TextInput name="title" label="Title" required data-autofocus maxLength={300} defaultValue={record?.title} error={errors['title']} autoComplete="off" />
      {fields.map((field) => <FieldInput key={field.key} field={field} value={record?.values[field.key]} error={errors[inputName(field)]} />)}
    </FormDialog>
  )
}
