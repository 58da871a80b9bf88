import { describeDay, describeInstant } from '../../base/moments.ts'
import type { EntityField } from './entity-queries.ts'
import { t } from '../../base/texts.ts'

/** Formats the value of a field for people; null without one. */
export function describeFieldValue({ type, options }: EntityField, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = plainText(value)
  const labelOf = (one: unknown) => options.find((option) => option.value === one)?.label ?? plainText(one)
  if (type === 'BOOLEAN') return value === true ? t('common.yes') : t('common.no')
  if (type === 'SELECT') return labelOf(value)
  if (type === 'MULTI_SELECT') return Array.isArray(value) ? value.map(labelOf).join(', ') : null
  if (type === 'PERCENTAGE') return `${text} %`
  if (type === 'DATE') return describeDay(text, 'UTC')
  return type === 'DATETIME' ? describeInstant(text) : text
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
