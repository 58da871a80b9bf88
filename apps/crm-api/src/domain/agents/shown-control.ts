import type { Executor } from '@crm/db'
import type { AgentControl, AgentLimits, WritesMode } from '@crm/permissions'
import type { CrmContext } from '../../platform/context.ts'
import { budgetDayOf, limitsIn, readUses } from './budgets.ts'

/** The settings of a credential as its row has them. */
export type ControlRow = Pick<AgentControl, 'writes' | 'limits' | 'confirm'>

/** A change of these settings; limits that it leaves out stay. */
export interface ControlPatch {
  readonly writes?: WritesMode | undefined
  readonly limits?: { readonly [Name in keyof AgentLimits]?: number | null | undefined } | undefined
  readonly confirm?: boolean | undefined
}

/** Returns the columns of a credential after a change of its settings. */
export function changedControl(current: ControlRow, { writes, limits, confirm }: ControlPatch): ControlRow {
  const given = Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined)
  return {
    writes: writes ?? current.writes,
    limits: { ...current.limits, ...Object.fromEntries(given) },
    confirm: confirm ?? current.confirm,
  }
}

/** The settings of a new credential unless its maker says otherwise. */
export const usualControl: ControlRow = { writes: 'DIRECT', limits: {}, confirm: false }

/** Reads the settings of credentials as the API shows them, with what each has used of the day. */
export async function readControls<Row extends ControlRow>(
  db: Executor,
  { workspace, at }: Pick<CrmContext, 'workspace' | 'at'>,
  rows: readonly Row[],
  budgetKeyOf: (row: Row) => string,
) {
  const day = budgetDayOf(workspace.timezone, at)
  const useOf = await readUses(db, workspace.id, rows.map(budgetKeyOf), day)
  return (row: Row) => ({
    writes: row.writes,
    limits: limitsIn(row.limits),
    confirm: row.confirm,
    used: { ...useOf(budgetKeyOf(row)), resetsAt: day.resetsAt },
  })
}
