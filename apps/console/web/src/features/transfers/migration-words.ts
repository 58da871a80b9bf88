import { fieldLabel, type MigrationState } from '@crm/contract'
import { labelInWords, nounOfKnown } from '../../records/kind-words.ts'
import type { Tone } from '../../shell/pill.tsx'
import type { MovingTexts } from '../../texts/moving/en.ts'
import type { MigrationField } from './migration-queries.ts'
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
  readonly code: keyof MovingTexts['cellProblems']
  readonly values: Readonly<Record<string, string>>
}

/** Returns the sentence of a problem of a row or a cell. */
export function problemInWords({ code, values }: Problem): string {
  const { to, field } = values
  return t(`cellProblems.${code}`, {
    ...noValues,
    ...values,
    ...(to === undefined ? {} : { kind: nounOfKnown(to) ?? to }),
    ...(field === undefined ? {} : { field: targetName({ field, label: null }) }),
  })
}

/** The values that sentences of problems name; a problem has only those of its own. */
const noValues = { text: '', max: '', min: '', kind: '', cell: '', cells: '', columns: '', field: '' }

interface FileFault {
  readonly problem: string | null
  readonly problemCode: keyof MovingTexts['fileProblems'] | null
  readonly problemValues: Readonly<Record<string, string>>
}

/** Returns the reason for which a file does not come in, or not all of it. */
export function faultInWords({ problem, problemCode, problemValues }: FileFault): string | null {
  const none = { max: '', line: '', encoding: '', likely: '', files: '' }
  return problemCode === null ? problem : t(`fileProblems.${problemCode}`, { ...none, ...problemValues })
}

const ownStates: Partial<Record<MigrationState, { readonly label: string; readonly tone: Tone }>> = {
  ANALYSING: { label: t('moving.states.ANALYSING'), tone: 'blue' },
  ANALYSED: { label: t('moving.states.ANALYSED'), tone: 'amber' },
  CHECKING: { label: t('moving.states.CHECKING'), tone: 'blue' },
  CHECKED: { label: t('moving.states.CHECKED'), tone: 'amber' },
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
  return order === 'DAY_FIRST' ? t('moving.dayFirst') : t('moving.monthFirst')
}

/** The signs before decimals. */
export const decimals = ['POINT', 'COMMA'] as const

/** Returns a way of writing numbers by an example. */
export function decimalName(decimal: (typeof decimals)[number]): string {
  return decimal === 'POINT' ? t('moving.point') : t('moving.comma')
}
