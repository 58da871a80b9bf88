import type { crm } from '../../base/api.ts'
import { t } from './texts.ts'

/** An attribute of products. */
export type Attribute = Awaited<ReturnType<typeof crm.productAttributes.list>>['items'][number]

/** The types of attributes in words. */
export const attributeTypeNames: Readonly<Record<Attribute['type'], string>> = {
  TEXT: t('Text'),
  NUMBER: t('Number'),
  BOOLEAN: t('Checkbox'),
  DATE: t('Date'),
  SELECT: t('Single choice'),
  MULTI_SELECT: t('Multiple choice'),
}

/** Whether an attribute is chosen from values of its own. */
export function hasChoices({ type }: Pick<Attribute, 'type'>): boolean {
  return type === 'SELECT' || type === 'MULTI_SELECT'
}
