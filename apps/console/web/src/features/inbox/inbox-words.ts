import type { NotificationKind } from '@crm/contract'
import { pathOf } from '../../records/record-place.ts'
import type { Notification } from './inbox-queries.ts'
import { t } from '../../base/texts.ts'

/** The kinds of notification in the order in which people care about them. */
export const kindWords: Readonly<Record<NotificationKind, string>> = {
  mention: t('inbox.someoneMentionsYou'),
  reply: t('inbox.someoneRepliesToYourNote'),
  assigned: t('inbox.someoneAssignsSomethingToYou'),
  'task.due': t('inbox.aTaskOfYoursIs'),
  'booking.created': t('inbox.someoneBooksMovesOrCancels'),
  'booking.mail-failed': t('inbox.anEmailToAGuest'),
  'booking.guest-not-linked': t('inbox.aGuestCouldNotBecome'),
  'import.finished': t('inbox.anImportIsDone'),
  'import.failed': t('inbox.anImportFailed'),
  'job.finished': t('inbox.aChangeOfManyItems'),
  'mail.failed': t('inbox.anEmailCouldNotBe'),
  RUN_FAILED: t('inbox.aWorkflowFailed'),
  RULE_FAILED: t('inbox.anAutomationRuleFailed'),
  RULE_PAUSED: t('inbox.anAutomationRuleWasPaused'),
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
