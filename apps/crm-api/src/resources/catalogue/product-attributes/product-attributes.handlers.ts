import { productAttributeGroups, productAttributes, productAttributeValues } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { invalidField } from '@crm/errors'
import { sql } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { byColumn, referenceHandlers, requireReference, type ReferenceKind } from '../../../records/reference-data.ts'
import { requireReferred } from '../../../kinds/references.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const {
  productAttributeAssignments: assignments,
  productAttributeGroups: groups,
  productAttributes: attributes,
  productAttributeValues: values,
} = schema

/** The groups of attributes. */
export const attributeGroupKind = {
  table: groups,
  rows: rowReader(shownColumns(groups, 'productAttributeGroups')),
  entityType: 'PRODUCT_ATTRIBUTE_GROUP',
  noun: 'product attribute group',
  uniqueFields: { product_attribute_groups_name: 'name' },
  usedBy: [byColumn('PRODUCT_ATTRIBUTE', attributes.groupId)],
  order: [groups.position, groups.name],
}

export const implementedProductAttributeGroups = implement(
  productAttributeGroups,
  referenceHandlers(attributeGroupKind),
)

type AttributeRow = Omit<typeof attributes.$inferSelect, 'workspaceId'>

/** The attributes of products. */
export const attributeKind: ReferenceKind<AttributeRow> = {
  table: attributes,
  rows: rowReader(shownColumns(attributes, 'productAttributes')),
  entityType: 'PRODUCT_ATTRIBUTE',
  noun: 'product attribute',
  uniqueFields: { product_attributes_code: 'code' },
  usedBy: [byColumn('PRODUCT', assignments.attributeId)],
  filters: { groupId: attributes.groupId, type: attributes.type },
  order: [attributes.position, attributes.name],
  check: (tx, { workspace }, { groupId }: Partial<AttributeRow>) =>
    requireReferred(tx, workspace.id, groups, groupId, 'groupId'),
}

export const implementedProductAttributes = implement(productAttributes, referenceHandlers(attributeKind))

type ValueRow = Omit<typeof values.$inferSelect, 'workspaceId'>

/** The choices of attributes. */
export const attributeValueKind: ReferenceKind<ValueRow> = {
  table: values,
  rows: rowReader(shownColumns(values, 'productAttributeValues')),
  entityType: 'PRODUCT_ATTRIBUTE_VALUE',
  noun: 'product attribute value',
  uniqueFields: { product_attribute_values_name: 'name' },
  usedBy: [
    {
      entityType: 'PRODUCT',
      table: assignments,
      naming: ({ id }) => sql`${assignments.valueIds} @> ARRAY[${id}]::uuid[]`,
    },
  ],
  filters: { attributeId: values.attributeId },
  order: [values.position, values.name],
  check: async (tx, { workspace }, { attributeId }: Partial<ValueRow>) => {
    if (!attributeId) return
    await requireReferred(tx, workspace.id, attributes, attributeId, 'attributeId')
    const { type } = await requireReference(tx, workspace.id, attributeKind, attributeId)
    if (type !== 'SELECT' && type !== 'MULTI_SELECT')
      throw invalidField('attributeId', 'Only attributes of type SELECT and MULTI_SELECT have values')
  },
}

export const implementedProductAttributeValues = implement(
  productAttributeValues,
  referenceHandlers(attributeValueKind),
)
