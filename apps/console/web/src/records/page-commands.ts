import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { IconName } from '../shell/icons.tsx'
import { typeAhead } from '../shell/type-ahead.ts'
import { bulkTaskNames } from './bulk-task.ts'
import { t } from '../base/texts.ts'

interface PageCommandWords {
  readonly group: 'record' | 'list' | 'selection'
  readonly keys?: string
  readonly label: string
  readonly icon: IconName
  /** Whether it opens a form or a field, into which people type on at once. */
  readonly isTyped?: boolean
}

/** The commands of lists, their selections and records. A page offers some of them; the list of keys shows those that have keys. */
export const pageCommands = {
  note: { group: 'record', keys: 'n', label: t('Write a note'), icon: 'edit', isTyped: true },
  task: { group: 'record', keys: 't', label: t('Add a task'), icon: 'tasks', isTyped: true },
  email: { group: 'record', keys: 'm', label: t('Write an email'), icon: 'talk', isTyped: true },
  owner: { group: 'record', keys: 'a', label: t('Change owner'), icon: 'person', isTyped: true },
  stage: { group: 'record', keys: 's', label: t('Change stage'), icon: 'stages' },
  convert: { group: 'record', label: t('Convert'), icon: 'flow', isTyped: true },
  duplicate: { group: 'record', label: t('Duplicate'), icon: 'copy' },
  merge: { group: 'record', label: t('Merge'), icon: 'connection', isTyped: true },
  copyLink: { group: 'record', label: t('Copy link'), icon: 'link' },
  print: { group: 'record', label: t('Print'), icon: 'document' },
  remove: { group: 'record', label: t('Delete'), icon: 'trash' },
  nextRecord: { group: 'record', keys: 'j', label: t('Next in the list'), icon: 'down' },
  previousRecord: { group: 'record', keys: 'k', label: t('Previous in the list'), icon: 'up' },
  changeOwners: { group: 'selection', label: bulkTaskNames.owner, icon: 'person', isTyped: true },
  changeStages: { group: 'selection', label: bulkTaskNames.stage, icon: 'stages', isTyped: true },
  addTags: { group: 'selection', label: bulkTaskNames.tags, icon: 'plus', isTyped: true },
  removeTags: { group: 'selection', label: bulkTaskNames.untag, icon: 'cross', isTyped: true },
  editFields: { group: 'selection', label: bulkTaskNames.field, icon: 'edit', isTyped: true },
  emailAll: { group: 'selection', label: t('Email'), icon: 'talk', isTyped: true },
  exportAll: { group: 'selection', label: t('Export'), icon: 'import' },
  removeAll: { group: 'selection', label: bulkTaskNames.delete, icon: 'trash' },
  search: { group: 'list', keys: '/', label: t('Search the list'), icon: 'search', isTyped: true },
  create: { group: 'list', keys: 'c', label: t('New'), icon: 'plus', isTyped: true },
  filter: { group: 'list', keys: 'f', label: t('Filter'), icon: 'filter', isTyped: true },
  nextRow: { group: 'list', keys: 'j', label: t('Next row'), icon: 'down' },
  previousRow: { group: 'list', keys: 'k', label: t('Previous row'), icon: 'up' },
} as const satisfies Readonly<Record<string, PageCommandWords>>

export type PageCommandId = keyof typeof pageCommands

interface Offer {
  readonly id: PageCommandId
  run(): void
}

let offers: readonly Offer[] = []
const listeners = new Set<() => void>()

function setOffers(next: readonly Offer[]): void {
  offers = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Offers a command while a part of the page is shown; nothing is offered without an action. */
export function usePageCommand(id: PageCommandId, run: (() => void) | undefined | false): void {
  const latest = useRef(run)
  const isOffered = run !== undefined && run !== false
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!isOffered) return undefined
    const offer = { id, run: () => latest.current && latest.current() }
    setOffers([offer, ...offers])
    return () => setOffers(offers.filter((one) => one !== offer))
  }, [id, isOffered])
}

/** Returns the offered commands. The part that was shown last comes first: a panel comes before the list beside it. */
export function useOfferedCommands(): readonly PageCommandId[] {
  const shown = useSyncExternalStore(subscribe, () => offers)
  const order = Object.keys(pageCommands) as PageCommandId[]
  return order.filter((id) => shown.some((offer) => offer.id === id))
}

/** Runs a command of the part that offered it last. */
export function runPageCommand(id: PageCommandId): void {
  const offered = offers.find((offer) => offer.id === id)
  if (offered === undefined) return
  keepTyping(id)
  offered.run()
}

/** A page that is opened for a command loads no longer than this. */
const openedWithinMs = 10_000

/** Runs a command on the next page that offers it. */
export function runOnNextPage(id: PageCommandId): void {
  keepTyping(id)
  const before = offers
  const stop = subscribe(() => {
    const offered = offers.find((offer) => offer.id === id && !before.includes(offer))
    if (offered === undefined) return
    stop()
    clearTimeout(timer)
    offered.run()
  })
  const timer = setTimeout(stop, openedWithinMs)
}

function keepTyping(id: PageCommandId): void {
  const { isTyped }: PageCommandWords = pageCommands[id]
  if (isTyped) typeAhead()
}
