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
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

type Group = Awaited<ReturnType<typeof crm.productAttributeGroups.list>>['items'][number]
type Value = Awaited<ReturnType<typeof crm.productAttributeValues.list>>['items'][number]

const positionOf = (form: FormData) => {
  const position = numberIn(form, 'position')
  return position === null ? {} : { position }
}

const groups: ReferenceKind<Group> = {
  title: t('catalogue.groups'),
  note: t('catalogue.attributesThatBelongTogether'),
  noun: t('catalogue.group'),
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
        label={t('catalogue.order')}
        defaultValue={row && String(row.position)}
        error={errors['position']}
      />
    </>
  )
}

function attributesIn(all: readonly Group[], showValues: (attribute: Attribute) => void): ReferenceKind<Attribute> {
  return {
    title: t('catalogue.attributes'),
    note: t('catalogue.productPropertiesSuchAsColor'),
    noun: t('catalogue.attribute'),
    key: ['products', 'attributes'],
    read: (signal) => allItems((page) => crm.productAttributes.list({ query: { page, pageSize: 100 }, signal })),
    nameOf: ({ name }) => name,
    columns: [
      { label: t('common.code'), isExtra: true, cell: ({ code }) => <code>{code}</code> },
      {
        label: t('catalogue.group2'),
        isExtra: true,
        cell: ({ groupId }) => all.find(({ id }) => id === groupId)?.name,
      },
      { label: t('common.type'), cell: ({ type }) => attributeTypeNames[type] },
      {
        label: t('catalogue.choices'),
        cell: (attribute) =>
          hasChoices(attribute) && (
            <Button
              variant="subtle"
              size="xs"
              aria-label={t('catalogue.showTheChoicesOfName', { name: attribute.name })}
              onClick={() => showValues(attribute)}
            >
              {t('common.show')}
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
        label={t('common.apiName')}
        placeholder={t('catalogue.color')}
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
          label={t('common.type')}
          description={t('common.cannotBeChangedLater')}
          data={attributeTypes.map((value) => ({ value, label: attributeTypeNames[value] }))}
          error={errors['type']}
        />
      )}
      <NativeSelect
        name="groupId"
        label={t('catalogue.group2')}
        defaultValue={row?.groupId ?? ''}
        data={choicesOf(all, row?.groupId)}
        error={errors['groupId']}
      />
    </>
  )
}

function valuesOf({ id: attributeId, name }: Attribute): ReferenceKind<Value> {
  return {
    title: t('catalogue.choicesOfName', { name }),
    noun: t('catalogue.choice'),
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
    <Page title={t('catalogue.productAttributes')} narrow>
      <ReferencePanel kind={attributesIn(all, setShown)} mayChange={mayChange} />
      <ReferencePanel kind={groups} mayChange={mayChange} />
      <Dialog opened={shown !== null} onClose={() => setShown(null)} title={shown?.name} size="lg">
        {shown !== null && <ReferencePanel kind={valuesOf(shown)} mayChange={mayChange} />}
      </Dialog>
    </Page>
  )
}
