import type { Tone } from '../../shell/pill.tsx'
import type { Delivery, Workflow, WorkflowRun } from './automation-queries.ts'
import { capitalized, t } from '../../base/texts.ts'

export const workflowStateNames: Readonly<Record<Workflow['status'], string>> = {
  DRAFT: t('common.draft'),
  PUBLISHED: t('automation.published'),
  UNPUBLISHED: t('automation.off'),
}
export const workflowTones: Readonly<Record<Workflow['status'], Tone>> = {
  DRAFT: 'neutral',
  PUBLISHED: 'green',
  UNPUBLISHED: 'amber',
}

export const runStateNames: Readonly<Record<WorkflowRun['state'] | 'SKIPPED', string>> = {
  QUEUED: t('automation.queued'),
  RUNNING: t('automation.running'),
  WAITING: t('automation.waiting'),
  SUCCEEDED: t('automation.succeeded'),
  FAILED: t('automation.failed'),
  CANCELLED: t('common.cancelled'),
  SKIPPED: t('automation.skipped'),
}
export const runTones: Readonly<Record<WorkflowRun['state'] | 'SKIPPED', Tone>> = {
  QUEUED: 'neutral',
  RUNNING: 'blue',
  WAITING: 'teal',
  SUCCEEDED: 'green',
  FAILED: 'red',
  CANCELLED: 'neutral',
  SKIPPED: 'neutral',
}

export const deliveryStateNames: Readonly<Record<Delivery['state'], string>> = {
  SENDING: t('automation.running'),
  SUCCEEDED: t('automation.succeeded'),
  FAILED: t('automation.failed'),
}
export const deliveryTones: Readonly<Record<Delivery['state'], Tone>> = {
  SENDING: 'blue',
  SUCCEEDED: 'green',
  FAILED: 'red',
}

/** Describes the trigger of a workflow in words. */
export function describeTrigger(trigger: Readonly<Record<string, unknown>>): string {
  if (trigger['type'] === 'WEBHOOK')
    return trigger['method'] === 'ANY'
      ? t('automation.webhook')
      : t('automation.webhookTrigger', { trigger: String(trigger['method']) })
  return trigger['type'] === 'EVENT'
    ? t('automation.whenTrigger', { trigger: describeEvent(String(trigger['event'])) })
    : t('automation.startedByHand')
}

/** Describes an event such as `lead.stage_changed` in words. */
export function describeEvent(event: string): string {
  const [entity = '', verb = ''] = event.split('.')
  return `${entity.replaceAll('_', ' ')} ${verb.replaceAll('_', ' ')}`
}

/** Describes an entity type such as `PRICE_LIST` in words. */
export function describeEntityType(entityType: string): string {
  return capitalized(entityType.toLowerCase().replaceAll('_', ' '))
}

/** Formats any value as text for people. */
export function showJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
}
