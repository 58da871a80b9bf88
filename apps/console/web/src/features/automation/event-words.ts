import { t } from './texts.ts'

/** A noun, and what the articles of languages depend on. */
export interface NounValues {
  readonly noun: string
  readonly gender: string
  readonly sound: 'vowel' | 'other'
}

export interface EventWords {
  /** As the name of a trigger, such as “Lead is created”. */
  name(values: NounValues): string
  /** As the beginning of a sentence, such as “When a lead is created”. */
  when(values: NounValues): string
}

/** What happens to records, by the ends of events and, where an event is called otherwise, by names of its own. */
export const eventWords = {
  created: {
    name: (values) => t('{noun} is created', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is created', values),
  },
  updated: {
    name: (values) => t('{noun} is updated', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is updated', values),
  },
  deleted: {
    name: (values) => t('{noun} is deleted', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is deleted', values),
  },
  stageChanged: {
    name: (values) => t('{noun} moves to stage', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} moves to another stage', values),
  },
  statusChanged: {
    name: (values) => t('{noun} changes status', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} changes status', values),
  },
  converted: {
    name: (values) => t('{noun} is converted', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is converted', values),
  },
  won: {
    name: (values) => t('{noun} is won', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is won', values),
  },
  lost: {
    name: (values) => t('{noun} is lost', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is lost', values),
  },
  completed: {
    name: (values) => t('{noun} is completed', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is completed', values),
  },
  issued: {
    name: (values) => t('{noun} is issued', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is issued', values),
  },
  paid: {
    name: (values) => t('{noun} is paid', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} is paid', values),
  },
  paymentRecorded: {
    name: (values) => t('{noun} receives a payment', values),
    when: (values) => t('When {sound, select, vowel {an} other {a}} {noun} receives a payment', values),
  },
  paymentReversed: {
    name: (values) => t('{noun} loses a payment', values),
    when: (values) => t('When a payment of {sound, select, vowel {an} other {a}} {noun} is reversed', values),
  },
  booked: {
    name: () => t('Meeting is booked'),
    when: () => t('When a meeting is booked'),
  },
  rescheduled: {
    name: () => t('Meeting is rescheduled'),
    when: () => t('When a meeting is rescheduled'),
  },
  cancelled: {
    name: () => t('Meeting is cancelled'),
    when: () => t('When a meeting is cancelled'),
  },
  commented: {
    name: () => t('Comment is written'),
    when: () => t('When a comment is written'),
  },
  personAdded: {
    name: () => t('Person is added'),
    when: () => t('When a person is added'),
  },
  personChanged: {
    name: () => t('Person is updated'),
    when: () => t('When a person is updated'),
  },
  personRemoved: {
    name: () => t('Person leaves'),
    when: () => t('When a person leaves'),
  },
  imported: {
    name: () => t('Import is done'),
    when: () => t('When an import is done'),
  },
} satisfies Readonly<Record<string, EventWords>>
