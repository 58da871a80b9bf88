import {
  activityStatuses,
  activityTypes,
  codeLabel,
  dealStatuses,
  directions,
  fieldLabel,
  invoiceStatuses,
  leadStatuses,
  orderStatuses,
  projectStatuses,
  quoteStatuses,
  taskStatuses,
  temperatures,
} from '@crm/contract'
import { codeInWords, labelInWords } from './kind-words.ts'

/** Returns the name of a field for people, from its key. */
export function fieldName(field: string): string {
  return labelInWords(fieldLabel(field))
}

/** Formats a code such as `IN_PROGRESS` for people. */
export function inWords(code: string): string {
  return codeInWords(code) ?? codeLabel(code)
}

/** The names of codes, for all record kinds. */
export const codeNames: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...leadStatuses,
    ...temperatures,
    ...dealStatuses,
    ...taskStatuses,
    ...projectStatuses,
    ...quoteStatuses,
    ...orderStatuses,
    ...invoiceStatuses,
    ...activityTypes,
    ...activityStatuses,
    ...directions,
  ].map((code) => [code, inWords(code)]),
)
