import { postalLines, type PostalAddress } from '@crm/postal'
import { describeDay, describeInstant } from '../base/moments.ts'
import { language, t } from '../base/texts.ts'
import { codeNames } from './field-words.ts'
import { describeMoney } from './money.ts'
import type { Field } from './record-kinds.ts'

/** Formats a value of a record as text; null for an empty one. */
export function describeValue(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'object')
    return (
      Object.values(value)
        .map((item) => describeValue(item))
        .filter(Boolean)
        .join(', ') || null
    )
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return codeNames[text] ?? text
}

/** Formats the value of a field that is no reference as text. */
export function textOfValue(
  { type, options, group }: Pick<Field, 'type' | 'options' | 'group'>,
  value: unknown,
  { currency }: Readonly<Record<string, unknown>>,
): string {
  const labelOf = (one: unknown) => options.find((option) => option.value === one)?.label ?? String(one)
  const text = describeValue(value) ?? ''
  if (type === 'SELECT') return labelOf(value)
  if (type === 'ADDRESS') return postalLines(value as PostalAddress, language).join(', ')
  if (type === 'MULTI_SELECT') return (value as readonly unknown[]).map(labelOf).join(', ')
  if (type === 'DATE') return describeDay(text, 'UTC')
  if (type === 'DATETIME') return describeInstant(text)
  if (type === 'PERCENTAGE') return `${text} %`
  if (type !== 'CURRENCY') return text
  // Amounts of custom fields have no currency.
  return describeMoney(text, group !== 'CUSTOM' && typeof currency === 'string' ? currency : null) ?? ''
}
