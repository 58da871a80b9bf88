import { fieldLabel, type MigrationState } from '@crm/contract'
import { labelInWords, nounOfKnown } from '../../records/kind-words.ts'
import type { Tone } from '../../shell/pill.tsx'
import type { MigrationField } from './migration-queries.ts'
import { cellProblem, fileProblem } from './problem-words.ts'
import { t } from './texts.ts'
import { importStates } from './transfer-words.ts'

/** Returns the name of a target of columns: a part of a field stands behind its field. */
export function targetName({ field, label }: Pick<MigrationField, 'field' | 'label'>): string {
  return (
    label ??
    field
      .split('.')
      .map((part) => labelInWords(fieldLabel(part)))
      .join(' › ')
  )
}

interface Problem {
  readonly code: Parameters<typeof cellProblem>[0]
  readonly values: Readonly<Record<string, string>>
}

/** Returns the sentence of a problem of a row or a cell. */
export function problemInWords({ code, values }: Problem): string {
  const { to, field } = values
  return cellProblem(code, {
    ...values,
    ...(to === undefined ? {} : { kind: nounOfKnown(to) ?? to }),
    ...(field === undefined ? {} : { field: targetName({ field, label: null }) }),
  })
}

interface FileFault {
  readonly problem: string | null
  readonly problemCode: Parameters<typeof fileProblem>[0] | null
  readonly problemValues: Readonly<Record<string, string>>
}

/** Returns the reason for which a file does not come in, or not all of it. */
export function faultInWords({ problem, problemCode, problemValues }: FileFault): string | null {
  return problemCode === null ? problem : fileProblem(problemCode, problemValues)
}

const ownStates: Partial<Record<MigrationState, { readonly label: string; readonly tone: Tone }>> = {
  ANALYSING: { label: t('Reading'), tone: 'blue' },
  ANALYSED: { label: t('Ready'), tone: 'amber' },
  CHECKING: { label: t('Trying'), tone: 'blue' },
  CHECKED: { label: t('Tried'), tone: 'amber' },
}

/** Returns the state of a migration in a word. */
export function migrationStateOf(state: MigrationState): { readonly label: string; readonly tone: Tone } {
  return ownStates[state] ?? importStates[state] ?? { label: state, tone: 'neutral' }
}

const scripts: Readonly<Record<string, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16 BE)',
  shift_jis: 'Shift JIS',
  gb18030: 'GB 18030',
  'euc-kr': 'EUC-KR',
  macintosh: 'Mac Roman',
}

/** Returns the name of an encoding as programs show it. */
export function encodingName(encoding: string): string {
  return scripts[encoding.toLowerCase()] ?? encoding.replace(/^windows-/i, 'Windows-').replace(/^iso-/i, 'ISO-')
}

/** The ways in which files write days. */
export const orders = ['DAY_FIRST', 'MONTH_FIRST'] as const

/** Returns a way of writing days by an example. */
export function orderName(order: (typeof orders)[number]): string {
  return order === 'DAY_FIRST' ? t('Day first: 31/12/2026') : t('Month first: 12/31/2026')
}

/** The signs before decimals. */
export const decimals = ['POINT', 'COMMA'] as const

/** Returns a way of writing numbers by an example. */
export function decimalName(decimal: (typeof decimals)[number]): string {
  return decimal === 'POINT' ? t('1,234.50') : t('1.234,50')
}
