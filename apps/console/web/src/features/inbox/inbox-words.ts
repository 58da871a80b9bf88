import type { NotificationKind } from '@crm/contract'
import { pathOf } from '../../records/record-place.ts'
import type { Notification } from './inbox-queries.ts'
import { nounOfKnown } from '../../records/kind-words.ts'
import { language, t } from '../../base/texts.ts'

/** The kinds of notification in the order in which people care about them. */
export const kindWords: Readonly<Record<NotificationKind, string>> = {
  mention: t('inbox.someoneMentionsYou'),
  reply: t('inbox.someoneRepliesToYourNote'),
  assigned: t('inbox.someoneAssignsSomethingToYou'),
  followed: t('inbox.someoneChangesWhatYouFollow'),
  'proposal.waiting': t('inbox.aChangeWaitsForYou'),
  'task.due': t('inbox.aTaskOfYoursIs'),
  'booking.created': t('inbox.someoneBooksMovesOrCancels'),
  'booking.mail-failed': t('inbox.anEmailToAGuest'),
  'booking.guest-not-linked': t('inbox.aGuestCouldNotBecome'),
  'booking.time-moved': t('inbox.newZoneRulesMoveAMeeting'),
  'sign-in.groups-missing': t('inbox.aSignInCameWithoutGroups'),
  'import.finished': t('inbox.anImportIsDone'),
  'import.failed': t('inbox.anImportFailed'),
  'job.finished': t('inbox.aChangeOfManyItems'),
  'mail.failed': t('inbox.anEmailCouldNotBe'),
  RUN_FAILED: t('inbox.aWorkflowFailed'),
  RULE_FAILED: t('inbox.anAutomationRuleFailed'),
  RULE_PAUSED: t('inbox.anAutomationRuleWasPaused'),
}

/**
 * Returns a notification as a sentence. The API writes it in English and says more about a case without a person.
 */
export function sentenceOf(item: Pick<Notification, 'kind' | 'text' | 'data' | 'record'>): string {
  const { kind, text, record, data } = item
  const { name } = (data['via'] ?? {}) as { readonly name?: unknown }
  if (kind === 'proposal.waiting' && typeof data['count'] === 'number' && typeof name === 'string')
    return t('inbox.proposalsWait', { count: data['count'], name })
  if (language === 'en') return text
  const actor = actorOf(item)
  if (actor === null) return withName((kindWords as Readonly<Record<string, string>>)[kind] ?? text, item)
  if (kind === 'mention') return t('inbox.actorMentionedYou', { actor })
  if (kind === 'reply') return t('inbox.actorReplied', { actor })
  if (kind === 'followed') return t('inbox.actorChangedWhatYouFollow', { actor })
  if (kind !== 'assigned') return text
  const noun = record === null ? undefined : nounOfKnown(record.entityType)
  return noun === undefined ? t('inbox.actorAssignedSeveral', { actor }) : t('inbox.actorAssigned', { actor, noun })
}

function withName(sentence: string, { data }: Pick<Notification, 'data'>): string {
  return typeof data['name'] === 'string' ? `${sentence}: ${data['name']}` : sentence
}

/** Returns the path of the page that a notification is about; undefined if there is none. */
export function placeOf({ kind, record, data }: Pick<Notification, 'kind' | 'record' | 'data'>): string | undefined {
  if (record) return pathOf({ entityType: record.entityType, entityId: record.id })
  const of = (name: string, path: string) => (typeof data[name] === 'string' ? `${path}/${data[name]}` : undefined)
  if (kind === 'proposal.waiting') return '/settings/proposals'
  if (kind.startsWith('import.')) return '/settings/import'
  if (kind.startsWith('booking.')) return '/booking/meetings'
  return of('runId', '/automation/runs') ?? of('ruleId', '/automation/rules')
}

/** Returns the name of the person who caused a notification; null for what happened by itself. */
export function actorOf({ data }: Pick<Notification, 'data'>): string | null {
  const { actor } = data as Acted
  return typeof actor?.name === 'string' ? actor.name : null
}

/** Returns the id of that person. */
export function actorIdOf({ data }: Pick<Notification, 'data'>): string | null {
  const { actor } = data as Acted
  return typeof actor?.id === 'string' ? actor.id : null
}

interface Acted {
  readonly actor?: { readonly id?: unknown; readonly name?: unknown }
}
