import type { crm } from '../../base/api.ts'
import { t } from '../../base/texts.ts'

/** An attribute of products. */
export type Attribute = Awaited<ReturnType<typeof crm.productAttributes.list>>['items'][number]

/** The types of attributes in words. */
export const attributeTypeNames: Readonly<Record<Attribute['type'], string>> = {
  TEXT: t('common.text'),
  NUMBER: t('common.number'),
  BOOLEAN: t('catalogue.checkbox'),
  DATE: t('common.date'),
  SELECT: t('catalogue.singleChoice'),
  MULTI_SELECT: t('catalogue.multipleChoice'),
}

/** Whether an attribute is chosen from values of its own. */
export function hasChoices({ type }: Pick<Attribute, 'type'>): boolean {
  return type === 'SELECT' || type === 'MULTI_SELECT'
}
