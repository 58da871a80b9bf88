import type { ProductRecord } from '@crm/contract'
import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { attributesQuery, attributeValuesQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { RecordTable, RowButton } from '../../records/record-table.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { hasChoices, type Attribute } from './product-words.ts'
import { t } from './texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

type Assigned = ProductRecord['attributes'][number]

/** The attributes of a product; they can be added, changed and removed. */
export function ProductAttributes({ product }: { readonly product: ProductRecord }) {
  const { may } = useSession()
  const [edited, setEdited] = useState<Assigned | 'new' | null>(null)
  const remove = useChange((id: string) => crm.productAttributeAssignments.delete({ params: { id } }), {
    said: t('Attribute removed'),
    stale: ['products'],
  })
  const mayChange = may('UPDATE_PRODUCT')
  const { attributes } = product
  return (
    <Panel
      title={t('Attributes')}
      actions={
        mayChange && (
          <Button variant="default" size="xs" onClick={() => setEdited('new')}>
            {t('Add attribute')}
          </Button>
        )
      }
      flush={attributes.length > 0}
    >
      <RefusalAlert error={remove.error} />
      {attributes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('None')}
        </Text>
      )}
      {attributes.length > 0 && (
        <RecordTable
          label={t('Attributes')}
          rows={attributes}
          columns={[
            { label: t('Attribute'), cell: ({ name }) => name },
            { label: t('Value'), cell: describeAttribute },
          ]}
          actions={
            mayChange &&
            ((one) => (
              <>
                <RowButton verb={t('Edit')} name={one.name} onClick={() => setEdited(one)} />
                <Button
                  variant="subtle"
                  color="red"
                  size="xs"
                  aria-label={t('Remove {name}', { name: one.name })}
                  onClick={() => remove.mutate(one.assignmentId)}
                >
                  {t('Remove')}
                </Button>
              </>
            ))
          }
        />
      )}
      {edited !== null && (
        <AssignmentDialog
          product={product}
          assigned={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  )
}

/** Describes an attribute's value for a product in words. */
function describeAttribute({ value, values }: Assigned): string | null {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  return values.map(({ name }) => name).join(', ') || value
}

interface AssignmentDialogProps {
  readonly product: ProductRecord
  /** The attribute to change; null for a new one. */
  readonly assigned: Assigned | null
  onClose(): void
}

function AssignmentDialog({ product, assigned, onClose }: AssignmentDialogProps) {
  const { data: all = [] } = useQuery(attributesQuery)
  const open = all.filter(
    ({ id }) => id === assigned?.attributeId || !product.attributes.some(({ attributeId }) => attributeId === id),
  )
  const [chosenId, setChosenId] = useState(assigned?.attributeId)
  const attribute = open.find(({ id }) => id === chosenId) ?? open[0]
  const save = useChange(
    (form: FormData) => {
      if (attribute === undefined) throw new Error('There is no attribute to choose')
      const said = readValue(attribute, form)
      if (assigned) return crm.productAttributeAssignments.update({ params: { id: assigned.assignmentId }, body: said })
      return crm.productAttributeAssignments.create({
        body: { productId: product.id, attributeId: attribute.id, ...said },
      })
    },
    { said: t('Saved'), stale: ['products'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened
      title={assigned ? t('Edit {name}', { name: assigned.name }) : t('Add attribute')}
      submit={t('Save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(form)}
      onClose={onClose}
    >
      {!assigned && open.length === 0 && (
        <Text size="sm">{t('There are no other attributes. Create them under “Product attributes”.')}</Text>
      )}
      {!assigned && open.length > 0 && (
        <NativeSelect
          label={t('Attribute')}
          value={attribute?.id ?? ''}
          onChange={(event) => setChosenId(event.currentTarget.value)}
          data={open.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {attribute && (
        <ValueField
          key={attribute.id}
          attribute={attribute}
          assigned={assigned}
          error={errors['value'] ?? errors['valueIds'] ?? errors['']}
        />
      )}
    </FormDialog>
  )
}

interface ValueFieldProps {
  readonly attribute: Attribute
  readonly assigned: Assigned | null
  readonly error: string | undefined
}

function ValueField({ attribute, assigned, error }: ValueFieldProps) {
  const { data: choices = [] } = useQuery({ ...attributeValuesQuery(attribute.id), enabled: hasChoices(attribute) })
  const chosen = assigned?.values.map(({ id }) => id) ?? []
  const text = typeof assigned?.value === 'string' ? assigned.value : ''
  switch (attribute.type) {
    case 'BOOLEAN':
      return (
        <NativeSelect
          label={t('Value')}
          name="value"
          defaultValue={String(assigned?.value ?? true)}
          error={error}
          data={[
            { value: 'true', label: t('Yes') },
            { value: 'false', label: t('No') },
          ]}
        />
      )
    case 'SELECT':
      return (
        <NativeSelect
          key={choices.length}
          label={t('Value')}
          name="value"
          defaultValue={chosen[0]}
          error={error}
          data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )
    case 'MULTI_SELECT':
      return (
        <Checkbox.Group key={choices.length} label={t('Values')} defaultValue={chosen} error={error}>
          <Stack gap="xs" mt="xs">
            {choices.map(({ id, name }) => (
              <Group key={id}>
                <Checkbox name="value" value={id} label={name} />
              </Group>
            ))}
          </Stack>
        </Checkbox.Group>
      )
    case 'DATE':
      return <DayInput label={t('Value')} name="value" defaultValue={text} error={error} />
    case 'NUMBER':
      return <DecimalInput label={t('Value')} name="value" defaultValue={text} error={error} />
    case 'TEXT':
      return (
        <TextInput
          label={t('Value')}
          name="value"
          maxLength={2000}
          defaultValue={text}
          error={error}
          autoComplete="off"
        />
      )
  }
}

function readValue(attribute: Attribute, form: FormData) {
  if (hasChoices(attribute)) return { valueIds: form.getAll('value').filter((id) => typeof id === 'string') }
  const text = textIn(form, 'value').trim()
  return { value: attribute.type === 'BOOLEAN' ? text === 'true' : text }
}
