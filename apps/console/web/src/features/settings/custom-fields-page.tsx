import { customFieldEntities, customFieldTypes } from '@crm/contract'
import { Button, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allItems } from '../../base/all-items.ts'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { fieldTypeNames, keyFor, linesOf, optionsIn } from '../../records/custom-field-options.ts'
import { RecordTable, RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'

type Field = Awaited<ReturnType<typeof settings.customFields.list>>['items'][number]
type Entity = Field['entityType']
type FieldType = Field['type']

const customFieldsQuery = queryOptions({
  queryKey: ['custom-fields'],
  queryFn: ({ signal }) => allItems((page) => settings.customFields.list({ query: { page, pageSize: 100 }, signal })),
})

const retiredFieldsQuery = queryOptions({
  queryKey: ['retired-fields'],
  queryFn: ({ signal }) => allItems((page) => settings.retiredFields.list({ query: { page, pageSize: 100 }, signal })),
})

const entityNames = {
  LEAD: 'Leads',
  CONTACT: 'Contacts',
  COMPANY: 'Companies',
  DEAL: 'Deals',
} as const satisfies Record<Entity, string>

/** The fields that a workspace adds to its records. */
export function CustomFieldsPage() {
  const [edited, setEdited] = useState<{ readonly entityType: Entity; readonly field: Field | null } | null>(null)
  const [removed, setRemoved] = useState<Field | null>(null)
  const fields = useQuery(customFieldsQuery)
  return (
    <Page title="Fields" note="What your records hold besides what every workspace has." narrow>
      <RefusalAlert error={fields.error} retry={() => void fields.refetch()} />
      {fields.error === null &&
        customFieldEntities.map((entityType) => (
          <TablePanel
            key={entityType}
            title={entityNames[entityType]}
            add={
              <Button
                variant="default"
                size="xs"
                aria-label={`New field of ${entityNames[entityType].toLowerCase()}`}
                onClick={() => setEdited({ entityType, field: null })}
              >
                New field
              </Button>
            }
            label={`Custom fields of ${entityNames[entityType].toLowerCase()}`}
            reading={{ ...fields, data: fields.data?.filter((field) => field.entityType === entityType) }}
            empty={<EmptyState title="No custom fields" />}
            columns={[
              {
                label: 'Field',
                cell: ({ key, label }) => <RowTitle note={<code>{`cf_${key}`}</code>}>{label}</RowTitle>,
              },
              { label: 'Type', cell: ({ type }) => fieldTypeNames[type] },
              { label: 'Required', isExtra: true, cell: ({ isRequired }) => (isRequired ? 'Yes' : 'No') },
            ]}
            actions={(field) => (
              <>
                <RowButton verb="Edit" name={field.label} onClick={() => setEdited({ entityType, field })} />
                <RowButton verb="Delete" name={field.label} isDestructive onClick={() => setRemoved(field)} />
              </>
            )}
          />
        ))}
      {edited !== null && (
        <FieldDialog
          key={edited.field?.id ?? edited.entityType}
          entityType={edited.entityType}
          field={edited.field}
          onClose={() => setEdited(null)}
        />
      )}
      <RetiredPanel />
      <RemoveDialog field={removed} onClose={() => setRemoved(null)} />
    </Page>
  )
}

function FieldDialog({
  entityType,
  field,
  onClose,
}: {
  readonly entityType: Entity
  readonly field: Field | null
  onClose(): void
}) {
  const [type, setType] = useState<FieldType>(field?.type ?? 'TEXT')
  const [label, setLabel] = useState(field?.label ?? '')
  const [typedKey, setTypedKey] = useState<string | null>(null)
  const key = field?.key ?? typedKey ?? keyFor(label)
  const hasOptions = type === 'SELECT' || type === 'MULTI_SELECT'
  const save = useChange(
    (form: FormData) => {
      const shared = {
        label,
        isRequired: form.get('isRequired') !== null,
        ...(hasOptions ? { options: optionsIn(textIn(form, 'options')) } : {}),
      }
      return field
        ? settings.customFields.update({ params: { id: field.id }, body: shared })
        : settings.customFields.create({ body: { ...shared, entityType, key, type } })
    },
    { said: 'Saved', stale: ['schema', 'custom-fields'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const keyError = isRefusedWith(save.error, 'NAME_TAKEN') ? 'Another field has this key' : errors['key']
  return (
    <FormDialog
      opened
      title={field ? 'Edit the field' : `New field of ${entityNames[entityType].toLowerCase()}`}
      submit="Save"
      isBusy={save.isPending}
      error={keyError === undefined ? save.error : null}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        label="Label"
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        error={errors['label']}
        maxLength={200}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="Key"
        description="Names the field in the API; it stays as it is"
        value={key}
        onChange={(event) => setTypedKey(event.currentTarget.value)}
        error={keyError}
        maxLength={40}
        required
        withAsterisk={false}
        disabled={field !== null}
        autoComplete="off"
      />
      <NativeSelect
        label="Type"
        value={type}
        onChange={(event) => setType(customFieldTypes.find((known) => known === event.currentTarget.value) ?? 'TEXT')}
        error={errors['type']}
        disabled={field !== null}
        data={customFieldTypes.map((value) => ({ value, label: fieldTypeNames[value] }))}
      />
      {hasOptions && (
        <Textarea
          name="options"
          label="Options"
          description="One on each line; “eu = Europe” stores eu and shows Europe"
          defaultValue={linesOf(field?.options ?? [])}
          error={errors['options']}
          rows={5}
          required
          withAsterisk={false}
        />
      )}
      <Switch name="isRequired" label="Required" defaultChecked={field?.isRequired ?? false} />
    </FormDialog>
  )
}

/** Deleted fields with values, as long as they can be restored. */
function RetiredPanel() {
  const { data } = useQuery(retiredFieldsQuery)
  const restore = useChange((id: string) => settings.retiredFields.restore({ params: { id } }), {
    said: 'The field was restored',
    stale: ['schema', 'custom-fields', 'retired-fields'],
  })
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title="Deleted fields" flush>
      <RefusalAlert error={restore.error} />
      <RecordTable
        label="Deleted fields"
        rows={data}
        columns={[
          { label: 'Field', cell: ({ label }) => label },
          { label: 'Values', cell: ({ valueCount }) => valueCount },
          { label: 'Kept until', cell: ({ purgeAt }) => purgeAt.slice(0, 10) },
        ]}
        actions={({ id, label }) => (
          <RowButton verb="Restore" name={label} isBusy={restore.isPending} onClick={() => restore.mutate(id)} />
        )}
      />
    </Panel>
  )
}

function RemoveDialog({ field, onClose }: { readonly field: Field | null; onClose(): void }) {
  const remove = useChange(
    ({ id, retire }: { readonly id: string; readonly retire: boolean }) =>
      settings.customFields.delete({ params: { id }, query: retire ? { retire: 'true' } : {} }),
    { said: 'The field was deleted', stale: ['schema', 'custom-fields', 'retired-fields'], onDone: onClose },
  )
  const isInUse = isRefusedWith(remove.error, 'IN_USE')
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={field !== null}
      onClose={close}
      title="Delete this field?"
      confirm={isInUse ? 'Delete with its values' : 'Delete'}
      isDestructive
      isBusy={remove.isPending}
      error={isInUse ? null : remove.error}
      onConfirm={() => field !== null && remove.mutate({ id: field.id, retire: isInUse })}
    >
      {isInUse ? (
        <>
          Records have values in <b>{field?.label}</b>. They are hidden now and deleted after 30 days; until then the
          field can be restored.
        </>
      ) : (
        <>
          <b>{field?.label}</b> disappears from every record, and filters by it stop working.
        </>
      )}
    </ConfirmDialog>
  )
}
