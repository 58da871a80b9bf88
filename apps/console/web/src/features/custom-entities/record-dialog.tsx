import type { CustomEntityRecord, CustomRecord } from '@crm/contract'
import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { changedMembers } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'
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
  const navigate = useNavigate()
  const save = (form: FormData, shown: CustomRecord | undefined) => {
    const [title, values] = [textIn(form, 'title'), valuesIn(form, fields)]
    if (shown === undefined) return crm.customRecords.create({ params: { key }, body: { title, values } })
    return crm.customRecords.update({
      params: { key, id: shown.id },
      body: {
        ...changedMembers(shown, { title }),
        values: changedMembers(shown.values, values),
        version: shown.version,
      },
    })
  }
  return (
    <RecordForm
      entityType={entityType}
      noun={labels.singular}
      record={record}
      opened={opened}
      save={save}
      open={(id) => navigate({ to: '/records/$key/$id', params: { key, id } })}
      onClose={onClose}
    >
      {({ errors, field }) => (
        <>
          <TextInput label="Title" required data-autofocus maxLength={300} {...field('title')} />
          {fields.map((one) => (
            <FieldInput key={one.key} field={one} value={record?.values[one.key]} error={errors[inputName(one)]} />
          ))}
        </>
      )}
    </RecordForm>
  )
}
