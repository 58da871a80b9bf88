import type { RuleAction } from '@crm/contract'
import { findInConditions, findInRequest, type Findings, type Knows } from '../automation/findings.ts'

const knownRoots = ['event', 'entityType', 'entityId', 'tenantId', 'timestamp', 'data']

interface CheckedRule {
  readonly conditions: readonly { readonly field: string; readonly op: string; readonly value: unknown }[]
  readonly actions: readonly RuleAction[]
}

/** Checks the conditions and actions of a rule: a part that cannot work is an issue, an unknown name only a warning. */
export function checkRule({ conditions, actions }: CheckedRule, allowCidrs: readonly string[]): Findings {
  const found: Findings = { issues: [], warnings: [] }
  const knows: Knows = (variable) => knownRoots.includes(variable.split(/[.[]/)[0] ?? '')
  findInConditions(found, ['trigger', 'conditions'], conditions)
  for (const [index, action] of actions.entries()) findInRequest(found, ['actions', index], action, knows, allowCidrs)
  return found
}
