import { kindEntities } from '@crm/model'
import { automationEvents } from '@crm/contract'
import { customEventEnds, eventTypes } from '../../base/contract.built.ts'
import { t } from './texts.ts'
import { capitalized, named, terms } from '../../base/texts.ts'
import { nounOfKnown } from '../../records/kind-words.ts'
import type { Kind } from '../../records/record-kinds.ts'
import { eventWords, type EventWords, type NounValues } from './event-words.ts'

type EventText = keyof typeof eventWords

/** The texts of events that are about one kind of record only, or are called otherwise there. */
const ownTexts: Readonly<Record<string, EventText>> = {
  'booking.created': 'booked',
  'booking.rescheduled': 'rescheduled',
  'booking.cancelled': 'cancelled',
  'comment.created': 'commented',
  'import.finished': 'imported',
  'employee.created': 'personAdded',
  'employee.updated': 'personChanged',
  'employee.deleted': 'personRemoved',
}

/** Returns the entity type of an event's record, that of leads for `lead.created`. */
export function subjectTypeOf(event: string): string {
  return eventTypes[event] ?? event.replace(/\.[^.]*$/, '').toUpperCase()
}

/** The nouns of the records that have events but no lists of their own. */
const otherNouns: Readonly<Record<string, string>> = {
  BOOKING: t('meeting'),
  COMMENT: t('comment'),
  EMPLOYEE: terms.kinds.PERSON.one,
}

/** Returns the values of a text about a kind of record: its noun with what the articles of languages depend on. */
export function nounValues(entityType: string, kinds: readonly Kind[]): NounValues {
  const known = kinds.find(({ key }) => key === entityType)?.noun ?? nounOfKnown(entityType) ?? otherNouns[entityType]
  const noun = known ?? entityType.toLowerCase().replaceAll('_', ' ')
  return { ...named(noun), sound: /^[aeiouéèêà]/i.test(noun) ? 'vowel' : 'other' }
}

function textOf(event: string): EventText {
  const own = ownTexts[event]
  if (own !== undefined) return own
  const verb = event.slice(event.lastIndexOf('.') + 1).replaceAll(/_(.)/g, (_, next: string) => next.toUpperCase())
  return Object.hasOwn(eventWords, verb) ? (verb as EventText) : 'updated'
}

function wordsOf(event: string): EventWords {
  return eventWords[textOf(event)]
}

/** Returns an event as the name of a trigger, such as “Lead is created”. */
export function eventName(event: string, kinds: readonly Kind[]): string {
  return capitalized(wordsOf(event).name(nounValues(subjectTypeOf(event), kinds)))
}

/** Returns an event as the beginning of a sentence, such as “When a lead is created”. */
export function eventClause(event: string, kinds: readonly Kind[]): string {
  return wordsOf(event).when(nounValues(subjectTypeOf(event), kinds))
}

/** Kinds come in the order in which people meet them, and meetings after them. */
const usualOrder: readonly string[] = [...kindEntities, 'BOOKING']

/** Returns all events that a workflow can listen to, custom entities included, the usual ones first. */
export function eventNames(kinds: readonly Kind[]): readonly string[] {
  const own = kinds
    .filter(({ isCustom }) => isCustom)
    .flatMap(({ key }) => customEventEnds.map((end) => key.toLowerCase() + end))
  const rank = (event: string) => {
    const at = usualOrder.indexOf(subjectTypeOf(event))
    return at === -1 ? usualOrder.length : at
  }
  return [...automationEvents, ...own].toSorted((one, other) => rank(one) - rank(other))
}

/** Whether records enter another stage by an event. */
export function isStageEvent(event: string): boolean {
  return event.endsWith('.stage_changed')
}
