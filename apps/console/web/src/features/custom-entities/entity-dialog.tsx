import { customFieldTypes, type CustomEntityRecord } from '@crm/contract'
import {
  Button,
  CloseButton,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { fieldTypeNames, keyFor, linesOf, optionsIn } from '../../records/custom-field-options.ts'
import { RemovalQuestion, useAskBeforeRemoval, withoutOptions, type Removal } from '../../records/removal-question.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { t } from '../../base/texts.ts'

/** A field while it is edited; its key is fixed once it is saved. */
type EntityField = CustomEntityRecord['fields'][number]

interface FieldDraft {
  readonly draftId: number
  readonly savedKey: string | null
  readonly label: string
  readonly type: EntityField['type']
  readonly options: string
  readonly isRequired: boolean
}

let lastDraftId = 0

function draftOf(field: EntityField | null): FieldDraft {
  return {
    draftId: ++lastDraftId,
    savedKey: field?.key ?? null,
    label: field?.label ?? '',
    type: field?.type ?? 'TEXT',
    options: linesOf(field?.options ?? []),
    isRequired: field?.isRequired ?? false,
  }
}

function fieldOf({ savedKey, label, type, options, isRequired }: FieldDraft): EntityField {
  return {
    key: savedKey ?? keyFor(label),
    label,
    type,
    options: type.endsWith('SELECT') ? optionsIn(options) : [],
    isRequired,
  }
}

/** Asks for a new record type, or for changes of one. */
export function EntityDialog({ entity, onClose }: { readonly entity: CustomEntityRecord | null; onClose(): void }) {
  const [singular, setSingular] = useState(entity?.labels.singular ?? '')
  const [typedKey, setTypedKey] = useState<string | null>(null)
  const [drafts, setDrafts] = useState<readonly FieldDraft[]>(() => (entity?.fields ?? []).map(draftOf))
  const key = entity?.key ?? typedKey ?? keyFor(singular).toLowerCase()
  const change = (draft: FieldDraft, next: Partial<FieldDraft>) =>
    setDrafts(drafts.map((one) => (one === draft ? { ...one, ...next } : one)))
  const save = useChange(
    (form: FormData) => {
      const body = {
        labels: { singular, plural: textIn(form, 'plural') },
        hasOwner: form.get('hasOwner') !== null,
        fields: drafts.map(fieldOf),
      }
      return entity
        ? settings.customEntitySettings.update({ params: { id: entity.id }, query: { retire: 'true' }, body })
        : settings.customEntitySettings.create({ body: { ...body, key } })
    },
    { said: t('Saved'), stale: ['schema', 'custom-entities', 'session'], onDone: onClose },
  )
  const asked = useAskBeforeRemoval(() => (entity ? leftOut(entity, drafts) : []), save.mutate)
  const errors = fieldErrors(save.error)
  const keyError = isRefusedWith(save.error, 'NAME_TAKEN') ? t('This API name is already in use') : errors['key']
  return (
    <FormDialog
      opened
      title={entity ? t('Edit custom entity') : t('New custom entity')}
      submit={t('Save')}
      size="lg"
      isBusy={save.isPending || asked.isPending}
      error={keyError === undefined ? (save.error ?? asked.error) : null}
      onSubmit={(form) => asked.mutate(form)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t('Singular name')}
          placeholder={t('Vehicle')}
          value={singular}
          onChange={(event) => setSingular(event.currentTarget.value)}
          error={errors['labels.singular']}
          maxLength={100}
          required
          data-autofocus
          autoComplete="off"
        />
        <TextInput
          name="plural"
          label={t('Plural name')}
          placeholder={t('Vehicles')}
          defaultValue={entity?.labels.plural}
          error={errors['labels.plural']}
          maxLength={100}
          required
          autoComplete="off"
        />
        <TextInput
          label={t('API name')}
          description={t('Cannot be changed later.')}
          value={key}
          onChange={(event) => setTypedKey(event.currentTarget.value)}
          error={keyError}
          maxLength={40}
          required
          disabled={entity !== null}
          autoComplete="off"
        />
      </SimpleGrid>
      <Switch name="hasOwner" label={t('Its records have an owner')} defaultChecked={entity?.hasOwner ?? true} />
      <Stack gap="sm">
        {drafts.map((draft, at) => (
          <FieldEditor
            key={draft.draftId}
            draft={draft}
            number={at + 1}
            errorOf={(name) => errors[`fields.${at}.${name}`]}
            onChange={(next) => change(draft, next)}
            onRemove={() => setDrafts(drafts.filter((one) => one !== draft))}
          />
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={() => setDrafts([...drafts, draftOf(null)])}>
            {t('Add a field')}
          </Button>
        </Group>
      </Stack>
      <RemovalQuestion asked={asked} isBusy={save.isPending} error={save.error} onConfirm={save.mutate} />
    </FormDialog>
  )
}

/** Returns the fields and options of a type that its drafts no longer have. */
function leftOut({ id, fields }: CustomEntityRecord, drafts: readonly FieldDraft[]): readonly Removal[] {
  return fields.flatMap((field): readonly Removal[] => {
    const count = async (option?: string) => {
      const query = { field: field.key, ...(option === undefined ? {} : { option }) }
      return (await settings.customEntitySettings.uses({ params: { id }, query })).data
    }
    const draft = drafts.find(({ savedKey }) => savedKey === field.key)
    if (!draft) return [{ what: 'FIELD', label: field.label, count }]
    return withoutOptions(field, draft.options, count)
  })
}

interface FieldEditorProps {
  readonly draft: FieldDraft
  readonly number: number
  errorOf(name: string): string | undefined
  onChange(next: Partial<FieldDraft>): void
  onRemove(): void
}

function FieldEditor({ draft, number, errorOf, onChange, onRemove }: FieldEditorProps) {
  const { savedKey, label, type, options, isRequired } = draft
  return (
    <Fieldset legend={t('Field {number}', { number })}>
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('Label')}
            value={label}
            onChange={(event) => onChange({ label: event.currentTarget.value })}
            error={errorOf('label') ?? errorOf('key')}
            maxLength={200}
            required
            autoComplete="off"
          />
          <NativeSelect
            label={t('Type')}
            value={type}
            disabled={savedKey !== null}
            onChange={(event) =>
              onChange({ type: customFieldTypes.find((known) => known === event.currentTarget.value) ?? 'TEXT' })
            }
            data={customFieldTypes.map((value) => ({ value, label: fieldTypeNames[value] }))}
          />
          <CloseButton aria-label={t('Remove field {number}', { number })} onClick={onRemove} />
        </Group>
        {type.endsWith('SELECT') && (
          <Textarea
            label={t('Options')}
            description={t('One per line. Optional: value = label')}
            value={options}
            onChange={(event) => onChange({ options: event.currentTarget.value })}
            error={errorOf('options')}
            rows={3}
            required
          />
        )}
        <Switch
          label={t('Required')}
          checked={isRequired}
          onChange={(event) => onChange({ isRequired: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  )
}
