import { kindName } from '../../records/kind-words.ts'
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
import {
  isUsed,
  RemovalQuestion,
  useAskBeforeRemoval,
  UseList,
  ValuesGo,
  withoutOptions,
} from '../../records/removal-question.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { inSentence } from '../../base/texts.ts'
import { t } from './texts.ts'

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

/** The fields that a workspace adds to its records. */
export function CustomFieldsPage() {
  const [edited, setEdited] = useState<{ readonly entityType: Entity; readonly field: Field | null } | null>(null)
  const [removed, setRemoved] = useState<Field | null>(null)
  const fields = useQuery(customFieldsQuery)
  return (
    <Page title={t('Fields')} note={t('What your records hold besides what every workspace has.')} narrow>
      <RefusalAlert error={fields.error} retry={() => void fields.refetch()} />
      {fields.error === null &&
        customFieldEntities.map((entityType) => (
          <TablePanel
            key={entityType}
            title={kindName(entityType)}
            add={
              <Button
                variant="default"
                size="xs"
                aria-label={t('New field of {entityNames}', { entityNames: inSentence(kindName(entityType)) })}
                onClick={() => setEdited({ entityType, field: null })}
              >
                {t('New field')}
              </Button>
            }
            label={t('Fields of {entityNames}', { entityNames: inSentence(kindName(entityType)) })}
            reading={{ ...fields, data: fields.data?.filter((field) => field.entityType === entityType) }}
            empty={<EmptyState title={t('No fields yet')} />}
            columns={[
              {
                label: t('Field'),
                cell: ({ key, label }) => <RowTitle note={<code>{`cf_${key}`}</code>}>{label}</RowTitle>,
              },
              { label: t('Type'), cell: ({ type }) => fieldTypeNames[type] },
              {
                label: t('Required'),
                isExtra: true,
                cell: ({ isRequired }) => (isRequired ? t('Yes') : t('No')),
              },
            ]}
            actions={(field) => (
              <>
                <RowButton verb={t('Edit')} name={field.label} onClick={() => setEdited({ entityType, field })} />
                <RowButton verb={t('Delete')} name={field.label} isDestructive onClick={() => setRemoved(field)} />
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
  const hasOptions = isChosen(type)
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
    { said: t('Saved'), stale: ['schema', 'custom-fields'], onDone: onClose },
  )
  const asked = useAskBeforeRemoval(
    (form) => (field && hasOptions ? withoutOptions(field, textIn(form, 'options'), usesOfOption(field)) : []),
    save.mutate,
  )
  const errors = fieldErrors(save.error)
  const keyError = isRefusedWith(save.error, 'NAME_TAKEN') ? t('This API name is already in use') : errors['key']
  return (
    <FormDialog
      opened
      title={titleOf(field, entityType)}
      submit={t('Save')}
      isBusy={save.isPending || asked.isPending}
      error={keyError === undefined ? (save.error ?? asked.error) : null}
      onSubmit={(form) => asked.mutate(form)}
      onClose={onClose}
    >
      <TextInput
        label={t('Label')}
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
        label={t('API name')}
        description={t('Cannot be changed later.')}
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
        label={t('Type')}
        value={type}
        onChange={(event) => setType(customFieldTypes.find((known) => known === event.currentTarget.value) ?? 'TEXT')}
        error={errors['type']}
        disabled={field !== null}
        data={customFieldTypes.map((value) => ({ value, label: fieldTypeNames[value] }))}
      />
      {hasOptions && (
        <Textarea
          name="options"
          label={t('Options')}
          description={t('One per line. Optional: value = label')}
          defaultValue={linesOf(field?.options ?? [])}
          error={errors['options']}
          rows={5}
          required
          withAsterisk={false}
        />
      )}
      <Switch name="isRequired" label={t('Required')} defaultChecked={field?.isRequired ?? false} />
      <RemovalQuestion asked={asked} isBusy={save.isPending} error={save.error} onConfirm={save.mutate} />
    </FormDialog>
  )
}

function titleOf(field: Field | null, entityType: Entity): string {
  if (field) return t('Edit the field')
  return t('New field of {entityNames}', { entityNames: inSentence(kindName(entityType)) })
}

/** Counts what uses an option of a field. */
const usesOfOption =
  ({ id }: Field) =>
  async (option: string) =>
    (await settings.customFields.uses({ params: { id }, query: { option } })).data

const isChosen = (type: FieldType): boolean => type === 'SELECT' || type === 'MULTI_SELECT'

/** Deleted fields with values, as long as they can be restored. */
function RetiredPanel() {
  const { data } = useQuery(retiredFieldsQuery)
  const restore = useChange((id: string) => settings.retiredFields.restore({ params: { id } }), {
    said: t('Field restored'),
    stale: ['schema', 'custom-fields', 'retired-fields'],
  })
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title={t('Deleted fields')} flush>
      <RefusalAlert error={restore.error} />
      <RecordTable
        label={t('Deleted fields')}
        rows={data}
        columns={[
          { label: t('Field'), cell: ({ label }) => label },
          { label: t('Values'), cell: ({ valueCount }) => valueCount },
          { label: t('Kept until'), cell: ({ purgeAt }) => purgeAt.slice(0, 10) },
        ]}
        actions={({ id, label }) => (
          <RowButton verb={t('Restore')} name={label} isBusy={restore.isPending} onClick={() => restore.mutate(id)} />
        )}
      />
    </Panel>
  )
}

/** Says what would be without the field. */
function FieldUses({ id }: Pick<Field, 'id'>) {
  const { data } = useQuery({
    queryKey: ['custom-fields', id, 'uses'],
    queryFn: async ({ signal }) => (await settings.customFields.uses({ params: { id }, signal })).data,
  })
  if (data === undefined || !isUsed(data)) return null
  return (
    <div>
      {t('What uses it:')}
      <UseList uses={data} />
    </div>
  )
}

function RemoveDialog({ field, onClose }: { readonly field: Field | null; onClose(): void }) {
  const remove = useChange(
    ({ id, retire }: { readonly id: string; readonly retire: boolean }) =>
      settings.customFields.delete({ params: { id }, query: retire ? { retire: 'true' } : {} }),
    { said: t('Field deleted'), stale: ['schema', 'custom-fields', 'retired-fields'], onDone: onClose },
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
      title={t('Delete this field?')}
      confirm={isInUse ? t('Delete with its values') : t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={isInUse ? null : remove.error}
      onConfirm={() => field !== null && remove.mutate({ id: field.id, retire: isInUse })}
    >
      {isInUse ? (
        <ValuesGo label={field?.label ?? ''} />
      ) : (
        <>
          {t.rich('<b>{label}</b> disappears from every record, and filters by it stop working.', {
            label: field?.label ?? '',
            b: (text) => <b>{text}</b>,
          })}
        </>
      )}
      {field && <FieldUses id={field.id} />}
    </ConfirmDialog>
  )
}
