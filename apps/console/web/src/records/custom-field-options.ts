import type { CustomFieldType } from '@crm/contract'
import { capitalized, t } from '../base/texts.ts'

/** The types of fields in words. */
export const fieldTypeNames = {
  TEXT: t('Text'),
  SELECT: t('Single choice'),
  MULTI_SELECT: t('Multiple choice'),
  BOOLEAN: t('Checkbox'),
  NUMBER: t('Number'),
  CURRENCY: t('Currency'),
  PERCENTAGE: t('Percent'),
  RATING: t('Rating'),
  DATE: t('Date'),
  DATETIME: t('Date and time'),
} as const satisfies Record<CustomFieldType, string>

interface Option {
  readonly value: string
  readonly label: string
}

/** Reads the options of a select from lines: `value = label`, or only the label, which is then the value too. */
export function optionsIn(lines: string): Option[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const at = line.indexOf(' = ')
      return at < 0
        ? { value: line, label: line }
        : { value: line.slice(0, at).trim(), label: line.slice(at + 3).trim() }
    })
}

/** Formats the options of a select as lines. */
export function linesOf(options: readonly Option[]): string {
  return options.map(({ value, label }) => (value === label ? label : `${value} = ${label}`)).join('\n')
}

/** Returns the words of a name in small plain letters and digits. */
export function plainWords(name: string): readonly string[] {
  return (
    name
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  )
}

/** Returns a key for a field with this label: letters and digits in camel case. */
export function keyFor(label: string): string {
  const key = plainWords(label)
    .map((word, at) => (at === 0 ? word : capitalized(word)))
    .join('')
  return key
    .replace(/^\d+/, '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .slice(0, 40)
}
