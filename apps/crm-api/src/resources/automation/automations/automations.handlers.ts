import { automations } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { hideHeaders, hideSteps, hideTrigger } from '../automation/header-secrets.ts'
import { countRuns, listAutomations } from './automations.repository.ts'

const weekMs = 7 * 24 * 60 * 60_000

export const implementedAutomations = implement(automations, {
  list: async ({ query }, { db, workspace, at }) => {
    const { items, total } = await listAutomations(db, workspace.id, query, query.pageSize, offsetOf(query))
    const counts = await countRuns(
      db,
      workspace.id,
      items.map(({ id }) => id),
      Date.parse(at) - weekMs,
    )
    const toRecord = ({ trigger, steps, ...row }: (typeof items)[number]) => ({
      ...row,
      trigger: hideTrigger(trigger),
      steps: row.type === 'RULE' ? steps.map(toStep) : hideSteps(steps),
      runsOfWeek: counts.get(row.id)?.runs ?? 0,
      failuresOfWeek: counts.get(row.id)?.failures ?? 0,
    })
    return pageOf({ items: items.map(toRecord), total }, query)
  },
})

/** Returns an action of a rule in the form of the step that does the same. */
function toStep(action: Readonly<Record<string, unknown>>, at: number): Record<string, unknown> {
  return { key: `request${at + 1}`, name: '', ...hideHeaders(action), type: 'HTTP_REQUEST' }
}
