import type { NotificationKind } from '@crm/contract'
import { pathOf } from '../../records/record-place.ts'
import type { Notification } from './inbox-queries.ts'

/** The kinds of notification in the order in which people care about them. */
export const kindWords: Readonly<Record<NotificationKind, string>> = {
  mention: 'Someone mentions you',
  reply: 'Someone replies to your note',
  assigned: 'Someone assigns something to you',
  'task.due': 'A task of yours is due',
  'booking.created': 'Someone books, moves or cancels a meeting with you',
  'booking.mail-failed': 'An email to a guest could not be sent',
  'booking.guest-not-linked': 'A guest could not become a lead',
  'import.finished': 'An import is done',
  'import.failed': 'An import failed',
  'job.finished': 'A change of many items is done',
  'mail.failed': 'An email could not be sent',
  RUN_FAILED: 'A workflow failed',
  RULE_FAILED: 'An automation rule failed',
  RULE_PAUSED: 'An automation rule was paused',
}

/** Returns the path of the page that a notification is about; undefined if there is none. */
export function placeOf({ kind, record, data }: Pick<Notification, 'kind' | 'record' | 'data'>): string | undefined {
  if (record) return pathOf({ entityType: record.entityType, entityId: record.id })
  const of = (name: string, path: string) => (typeof data[name] === 'string' ? `${path}/${data[name]}` : undefined)
  if (kind.startsWith('import.')) return '/settings/imports'
  if (kind.startsWith('booking.')) return '/booking/meetings'
  return of('runId', '/automation/runs') ?? of('ruleId', '/automation/rules')
}

/** Returns the name of the person who caused a notification; null for what happened by itself. */
export function actorOf({ data }: Pick<Notification, 'data'>): string | null {
  const { actor } = data as { readonly actor?: { readonly name?: unknown } }
  return typeof actor?.name === 'string' ? actor.name : null
}
