import type { RuleAction } from '@crm/contract'
import { dataOfEvent, mayCompare, mayHold } from '../automation/known-data.ts'
import { findInConditions, findInRequest, type Findings, type Knows } from '../automation/findings.ts'

interface CheckedRule {
  readonly event: string
  readonly conditions: readonly { readonly field: string; readonly op: string; readonly value: unknown }[]
  readonly actions: readonly RuleAction[]
}

/** Checks the conditions and actions of a rule: a part that cannot work is an issue, an unknown name only a warning. */
export function checkRule({ event, conditions, actions }: CheckedRule, allowCidrs: readonly string[]): Findings {
  const found: Findings = { issues: [], warnings: [] }
  const data = dataOfEvent(event)
  const knows: Knows = (variable) => mayHold(data, variable)
  findInConditions(found, ['trigger', 'conditions'], conditions, (field) => mayCompare(data, field))
  for (const [index, action] of actions.entries()) findInRequest(found, ['actions', index], action, knows, allowCidrs)
  return found
}
