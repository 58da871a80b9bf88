import type { NotificationKind } from '@crm/contract'
import { pathOf } from '../../records/record-place.ts'
import type { Notification } from './inbox-queries.ts'
import { nounOfKnown } from '../../records/kind-words.ts'
import { language, t } from '../../base/texts.ts'

/** The kinds of notification in the order in which people care about them. */
export const kindWords: Readonly<Record<NotificationKind, string>> = {
  mention: t('Someone mentions you'),
  reply: t('Someone replies to your note'),
  assigned: t('Someone assigns something to you'),
  followed: t('Someone changes what you follow'),
  'proposal.waiting': t('A change by a key or client waits for you'),
  'task.due': t('A task of yours is due'),
  'booking.created': t('Someone books, moves or cancels a meeting with you'),
  'booking.mail-failed': t('An email to a guest could not be sent'),
  'booking.guest-not-linked': t('A guest could not become a lead'),
  'booking.time-moved': t('New rules of time zones move a meeting on the clock'),
  'sign-in.groups-missing': t('A sign-in came without groups, rights stay'),
  'import.finished': t('An import is done'),
  'import.failed': t('An import failed'),
  'job.finished': t('A change of many items is done'),
  'mail.failed': t('An email could not be sent'),
  RUN_FAILED: t('A workflow failed'),
  RULE_FAILED: t('An automation rule failed'),
  RULE_PAUSED: t('An automation rule was paused'),
}

/**
 * Returns a notification as a sentence. The API writes it in English and says more about a case without a person.
 */
export function sentenceOf(item: Pick<Notification, 'kind' | 'text' | 'data' | 'record'>): string {
  const { kind, text, record, data } = item
  const { name } = (data['via'] ?? {}) as { readonly name?: unknown }
  if (kind === 'proposal.waiting' && typeof data['count'] === 'number' && typeof name === 'string')
    return t('{count, plural, one {A change by {name} waits} other {# changes by {name} wait}}', {
      count: data['count'],
      name,
    })
  if (language === 'en') return text
  const actor = actorOf(item)
  if (actor === null) return withName((kindWords as Readonly<Record<string, string>>)[kind] ?? text, item)
  if (kind === 'mention') return t('{actor} mentioned you', { actor })
  if (kind === 'reply') return t('{actor} replied to your note', { actor })
  if (kind === 'followed') return t('{actor} changed something that you follow', { actor })
  if (kind !== 'assigned') return text
  const noun = record === null ? undefined : nounOfKnown(record.entityType)
  return noun === undefined
    ? t('{actor} assigned several items to you', { actor })
    : t('{actor} assigned this to you: {noun}', { actor, noun })
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
