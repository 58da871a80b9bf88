import { Menu, UnstyledButton } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { describeDay } from '../../base/moments.ts'
import { describeMoney } from '../money.ts'
import type { Kind } from '../record-kinds.ts'
import type { GridColumn } from './columns.ts'
import { summaryQuery, type Figure, type SummaryCell } from './list-queries.ts'
import { isSummarized, narrowingOf, writeSums, type ListState } from './list-state.ts'
import { withCondition } from './list-address.ts'
import classes from './grid.module.css'
import { inDigits, t } from '../../base/texts.ts'

const functions = {
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Minimum'),
  max: t('Maximum'),
  empty: t('Empty'),
  filled: t('Filled'),
} as const
type Fn = keyof typeof functions
const measured: readonly string[] = ['sum', 'avg', 'min', 'max']

interface TotalsProps {
  readonly kind: Kind
  readonly state: ListState
  readonly columns: readonly GridColumn[]
  readonly total: number
  /** The number of cells before the first column. */
  readonly before: number
  onSums(sums: Readonly<Record<string, string>>): void
}

/** The row of totals: one figure for each column, over all records that the list finds. */
export function Totals({ kind, state, columns, total, before, onSums }: TotalsProps) {
  const figures = useFigures(kind, state, columns)
  return (
    <tr role="row" className={classes.totals}>
      {before > 0 && <td role="gridcell" className={classes.choice} />}
      {columns.map((column) => {
        const fns = isSummarized(kind.key) ? functionsOf(column) : []
        const fn = state.sums[column.key]
        if (column.isTitle)
          return (
            <th key={column.key} role="rowheader" scope="row" className={classes.first}>
              {t('Totals · {total, number}', { total })}
            </th>
          )
        return (
          <td key={column.key} role="gridcell" data-number={column.isNumber} data-label={column.label}>
            {fns.length > 0 && (
              <Menu position="top-end" withinPortal>
                <Menu.Target>
                  <UnstyledButton
                    className={classes.total}
                    title={figures.get(column.key)}
                    aria-label={totalName(column, fn, figures.get(column.key))}
                  >
                    {fn === undefined || !(fn in functions) ? (
                      <span className={classes.noTotal}>{t('Total')}</span>
                    ) : (
                      <>
                        <span className={classes.totalWord}>{functions[fn as Fn]}</span>{' '}
                        {figures.get(column.key) ?? '…'}
                      </>
                    )}
                  </UnstyledButton>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => onSums(without(state.sums, column.key))}>{t('None')}</Menu.Item>
                  {fns.map((one) => (
                    <Menu.Item key={one} onClick={() => onSums({ ...state.sums, [column.key]: one })}>
                      {functions[one]}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            )}
          </td>
        )
      })}
    </tr>
  )
}

function totalName({ label }: GridColumn, fn: string | undefined, figure: string | undefined): string {
  return fn !== undefined && fn in functions
    ? t('Total of {label}: {functions} {figure}', {
        label,
        functions: functions[fn as Fn],
        figure: figure ?? '',
      }).trim()
    : t('Total of {label}', { label })
}

function without(sums: Readonly<Record<string, string>>, key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(sums).filter(([one]) => one !== key))
}

function functionsOf({ field }: GridColumn): readonly Fn[] {
  if (field === undefined) return []
  return [...field.aggregates, ...(field.operators.includes('empty') ? (['empty', 'filled'] as const) : [])]
}

/** Returns the figures of the row of totals as text, by column. */
function useFigures(kind: Kind, state: ListState, columns: readonly GridColumn[]): ReadonlyMap<string, string> {
  const narrowing = narrowingOf(state)
  const asked = columns.filter(({ key, field, isTitle }) => !isTitle && field !== undefined && key in state.sums)
  const computed = asked.filter((column) => isMeasured(column, state))
  const measures = writeSums(
    Object.fromEntries(computed.slice(0, 8).map(({ key }) => [key, state.sums[key] as string])),
  )
  const figures = useQuery({
    ...summaryQuery(kind.key, { ...narrowing, measures: measures.join(',') }),
    enabled: measures.length > 0,
  }).data
  const counted = asked.filter(({ key }) => state.sums[key] === 'empty' || state.sums[key] === 'filled')
  const counts = useQueries({
    queries: counted.map(({ key }) => {
      const op = state.sums[key] === 'empty' ? 'empty' : 'notEmpty'
      const filter = JSON.stringify(withCondition(state.group, { field: key, op }))
      return summaryQuery(kind.key, { ...narrowing, filter })
    }),
  })
  return new Map([
    ...computed.flatMap((column): [string, string][] => {
      if (figures === undefined) return []
      const fn = state.sums[column.key] as 'sum' | 'avg' | 'min' | 'max'
      return [[column.key, figureInWords(figures.totals[fn]?.[column.key] ?? null, column)]]
    }),
    ...counted.flatMap(({ key }, at): [string, string][] => {
      const count = counts[at]?.data?.totals.count
      return count === undefined ? [] : [[key, inDigits(count)]]
    }),
  ])
}

function isMeasured({ key, field }: GridColumn, { sums }: ListState): boolean {
  const fn = sums[key] ?? ''
  return measured.includes(fn) && (field?.aggregates as readonly string[] | undefined)?.includes(fn) === true
}

function figureInWords(figure: Figure, { field }: GridColumn): string {
  if (figure === null) return '–'
  if (typeof figure === 'object') return moneyInWords(figure)
  if (field?.type === 'DATE' || field?.type === 'DATETIME')
    return describeDay(figure, field.type === 'DATE' ? 'UTC' : undefined)
  if (field?.type === 'CURRENCY') return describeMoney(figure, null) ?? '–'
  return inDigits(Number(figure), { maximumFractionDigits: 2 })
}

/** Formats money in several currencies; nothing is nil. */
function moneyInWords(amounts: Readonly<Record<string, string>>): string {
  const texts = Object.entries(amounts).map(([currency, amount]) => describeMoney(roundedAmount(amount), currency))
  return texts.length === 0 ? '–' : texts.join(' + ')
}

function roundedAmount(amount: string): string {
  return /\.\d{3,}$/.test(amount) ? Number(amount).toFixed(2) : amount
}

/** Formats the sum of a group of records. */
export function sumInWords({ sum }: SummaryCell, field: string): string | undefined {
  const figure = sum?.[field]
  if (figure === undefined || figure === null) return undefined
  return typeof figure === 'string' ? inDigits(Number(figure)) : moneyInWords(figure)
}
