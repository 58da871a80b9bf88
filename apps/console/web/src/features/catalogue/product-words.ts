import type { crm } from '../../base/api.ts'

/** An attribute of products. */
export type Attribute = Awaited<ReturnType<typeof crm.productAttributes.list>>['items'][number]

/** The types of attributes in words. */
export const attributeTypeNames: Readonly<Record<Attribute['type'], string>> = {
  TEXT: 'Text',
  NUMBER: 'Number',
  BOOLEAN: 'Yes or no',
  DATE: 'Date',
  SELECT: 'One of several',
  MULTI_SELECT: 'Some of several',
}

/** Whether an attribute is chosen from values of its own. */
export function hasChoices({ type }: Pick<Attribute, 'type'>): boolean {
  return type === 'SELECT' || type === 'MULTI_SELECT'
}
