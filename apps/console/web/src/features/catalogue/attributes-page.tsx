import { attributeTypes } from '@crm/contract'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { numberIn, textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { attributeGroupsQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { choicesOf } from '../../records/choices.ts'
import { NameField } from '../../records/name-field.tsx'
import { ReferencePanel, type ReferenceFieldsProps, type ReferenceKind } from '../../records/reference-panel.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Page } from '../../shell/page.tsx'
import { attributeTypeNames, hasChoices, type Attribute } from './product-words.ts'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

type Group = Awaited<ReturnType<typeof crm.productAttributeGroups.list>>['items'][number]
type Value = Awaited<ReturnType<typeof crm.productAttributeValues.list>>['items'][number]

const positionOf = (form: FormData) => {
  const position = numberIn(form, 'position')
  return position === null ? {} : { position }
}

const groups: ReferenceKind<Group> = {
  title: t('Groups'),
  note: t('Attributes that belong together.'),
  noun: t('group'),
  key: ['products', 'attribute-groups'],
  read: (signal) => allItems((page) => crm.productAttributeGroups.list({ query: { page, pageSize: 100 }, signal })),
  nameOf: ({ name }) => name,
  columns: [],
  Fields: PlacedFields,
  save: (row, form) => {
    const body = { name: textIn(form, 'name'), ...positionOf(form) }
    return row
      ? crm.productAttributeGroups.update({ params: { id: row.id }, body })
      : crm.productAttributeGroups.create({ body })
  },
  remove: ({ id }) => crm.productAttributeGroups.delete({ params: { id } }),
}

function PlacedFields({ row, errors }: ReferenceFieldsProps<{ readonly name: string; readonly position: number }>) {
  return (
    <>
      <NameField row={row} errors={errors} />
      <DecimalInput
        name="position"
        label={t('Order')}
        defaultValue={row && String(row.position)}
        error={errors['position']}
      />
    </>
  )
}

function attributesIn(all: readonly Group[], showValues: (attribute: Attribute) => void): ReferenceKind<Attribute> {
  return {
    title: t('Attributes'),
    note: t('Product properties such as color or weight.'),
    noun: t('attribute'),
    key: ['products', 'attributes'],
    read: (signal) => allItems((page) => crm.productAttributes.list({ query: { page, pageSize: 100 }, signal })),
    nameOf: ({ name }) => name,
    columns: [
      { label: t('Code'), isExtra: true, cell: ({ code }) => <code>{code}</code> },
      {
        label: t('Group'),
        isExtra: true,
        cell: ({ groupId }) => all.find(({ id }) => id === groupId)?.name,
      },
      { label: t('Type'), cell: ({ type }) => attributeTypeNames[type] },
      {
        label: t('Choices'),
        cell: (attribute) =>
          hasChoices(attribute) && (
            <Button
              variant="subtle"
              size="xs"
              aria-label={t('Show the choices of {name}', { name: attribute.name })}
              onClick={() => showValues(attribute)}
            >
              {t('Show')}
            </Button>
          ),
      },
    ],
    Fields: AttributeFields,
    save: (row, form) => {
      const body = {
        name: textIn(form, 'name'),
        code: textIn(form, 'code').trim(),
        groupId: textIn(form, 'groupId') || null,
      }
      if (row) return crm.productAttributes.update({ params: { id: row.id }, body })
      return crm.productAttributes.create({
        body: { ...body, type: attributeTypes.find((one) => one === textIn(form, 'type')) ?? 'TEXT' },
      })
    },
    remove: ({ id }) => crm.productAttributes.delete({ params: { id } }),
  }
}

function AttributeFields({ row, errors }: ReferenceFieldsProps<Attribute>) {
  const { data: all = [] } = useQuery(attributeGroupsQuery)
  return (
    <>
      <NameField row={row} errors={errors} />
      <TextInput
        name="code"
        label={t('API name')}
        placeholder={t('color')}
        maxLength={60}
        defaultValue={row?.code}
        required
        withAsterisk={false}
        error={errors['code']}
        autoComplete="off"
      />
      {row === undefined && (
        <NativeSelect
          name="type"
          label={t('Type')}
          description={t('Cannot be changed later.')}
          data={attributeTypes.map((value) => ({ value, label: attributeTypeNames[value] }))}
          error={errors['type']}
        />
      )}
      <NativeSelect
        name="groupId"
        label={t('Group')}
        defaultValue={row?.groupId ?? ''}
        data={choicesOf(all, row?.groupId)}
        error={errors['groupId']}
      />
    </>
  )
}

function valuesOf({ id: attributeId, name }: Attribute): ReferenceKind<Value> {
  return {
    title: t('Choices of {name}', { name }),
    noun: t('choice'),
    key: ['products', 'attribute-values', attributeId],
    read: (signal) =>
      allItems((page) => crm.productAttributeValues.list({ query: { attributeId, page, pageSize: 100 }, signal })),
    nameOf: ({ name }) => name,
    columns: [],
    Fields: PlacedFields,
    save: (row, form) => {
      const body = { name: textIn(form, 'name'), ...positionOf(form) }
      return row
        ? crm.productAttributeValues.update({ params: { id: row.id }, body })
        : crm.productAttributeValues.create({ body: { attributeId, ...body } })
    },
    remove: ({ id }) => crm.productAttributeValues.delete({ params: { id } }),
  }
}

/** The attributes of products, with their values to choose from. */
export function AttributesPage() {
  const { may } = useSession()
  const [shown, setShown] = useState<Attribute | null>(null)
  const { data: all = [] } = useQuery(attributeGroupsQuery)
  const mayChange = may('UPDATE_PRODUCT')
  return (
    <Page title={t('Product attributes')} narrow>
      <ReferencePanel kind={attributesIn(all, setShown)} mayChange={mayChange} />
      <ReferencePanel kind={groups} mayChange={mayChange} />
      <Dialog opened={shown !== null} onClose={() => setShown(null)} title={shown?.name} size="lg">
        {shown !== null && <ReferencePanel kind={valuesOf(shown)} mayChange={mayChange} />}
      </Dialog>
    </Page>
  )
}
