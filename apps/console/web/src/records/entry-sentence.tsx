import type { ShownTimelineEntry } from '@crm/contract'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { describeInstant } from '../base/moments.ts'
import { useSession } from '../base/session.ts'
import { named, t } from '../base/texts.ts'
import { acts, namedActs, type ActParts } from './acts.ts'
import classes from './entry-sentence.module.css'
import type { Told } from './feed-entries.ts'
import { describeActor, tellsWay } from './actor-words.ts'
import { inWords } from './field-words.ts'
import { describeMoney } from './money.ts'
import { useKinds, type Kind } from './record-kinds.ts'
import { addressOf, hasPage, nounOf, type RecordPlace } from './record-place.ts'
import { describeChanges, describeSource, isShort, type ChangeInWords } from './timeline-words.ts'

type Entry = ShownTimelineEntry
type EntryLink = Entry['links'][number]

interface SentenceProps {
  readonly told: Told<Entry>
  /** The record on whose page the sentence stands; other pages name the record. */
  readonly place?: RecordPlace | undefined
  /** The currency of the record's amounts, where it is known. */
  readonly currency?: unknown
}

/** Tells in one sentence what somebody did, with links on everything that it names. */
export function EntrySentence({ told, place, currency }: SentenceProps) {
  const kinds = useKinds()
  const { entry } = told
  const saying = { told, place, kinds, changes: changesOf(entry, kinds, currency) }
  return (
    <span>
      <span className={classes.actor}>{describeActor(entry.actor.name || t('Unknown user'), entry.via)}</span>{' '}
      {said(saying)}
      {!isAbout(saying) && told.others.length === 0 && (
        <>
          {' · '}
          <NamedLink link={linkOf(entry)} />
        </>
      )}
      {timeIn(entry)} {!tellsWay(entry.via) && describeSource(entry.source)}
    </span>
  )
}

/** Returns the changes of an entry that its sentence does not tell already. */
export function useChangesLeft({ told, currency }: Omit<SentenceProps, 'place'>): readonly ChangeInWords[] {
  const kinds = useKinds()
  const changes = changesOf(told.entry, kinds, currency)
  const said = saidChange(told, changes)
  return told.others.length > 0 ? [] : changes.filter((change) => change !== said && !isSpoken(told.entry, change))
}

function changesOf(entry: Entry, kinds: readonly Kind[], currency: unknown): readonly ChangeInWords[] {
  const kind = kinds.find(({ key }) => key === entry.entityType)
  return describeChanges(entry.changes, { kind, links: entry.links, currency })
}

/** The fields that a kind of entry tells of, the first one that changed counts. */
const spoken: Partial<Record<Entry['kind'], readonly string[]>> = {
  STAGE_CHANGED: ['stageId', 'pipelineId'],
  OWNER_CHANGED: ['assigneeId', 'ownerId'],
  STATUS_CHANGED: ['status'],
}

function isSpoken({ kind, relatedType }: Entry, { field }: ChangeInWords): boolean {
  return relatedType === 'DOCUMENT_RECORD' || (kind === 'STAGE_CHANGED' && field === 'pipelineId')
}

/** Returns the change that the sentence tells in full. */
function saidChange({ entry, others }: Told<Entry>, changes: readonly ChangeInWords[]): ChangeInWords | undefined {
  const fields = spoken[entry.kind]
  if (fields !== undefined) return fields.flatMap((field) => changes.find((change) => change.field === field) ?? [])[0]
  const [only] = changes
  return entry.kind === 'UPDATED' && changes.length === 1 && others.length === 0 && only && isShort(only)
    ? only
    : undefined
}

/** The kinds of entry whose sentence names their record. */
const aboutRecord: readonly Entry['kind'][] = [
  'CREATED',
  'UPDATED',
  'DELETED',
  'RESTORED',
  'STATUS_CHANGED',
  'STAGE_CHANGED',
  'OWNER_CHANGED',
  'CONVERTED',
  'MERGED',
  'COMMENT_ADDED',
  'QUOTE_SENT',
  'QUOTE_ACCEPTED',
  'QUOTE_DECLINED',
  'INVOICE_ISSUED',
  'INVOICE_SENT',
  'EMAIL_FAILED',
]

/** The most names in a sentence, and the most fields. */
const namesMax = 3

/** What the words of a sentence depend on. */
interface Saying {
  readonly told: Told<Entry>
  readonly place: RecordPlace | undefined
  readonly kinds: readonly Kind[]
  readonly changes: readonly ChangeInWords[]
}

/** Whether the sentence stands on the page of its record, and tells of no other one. */
function isOwn({ told: { entry, others }, place }: Saying): boolean {
  return others.length === 0 && entry.entityId === place?.entityId
}

/** Whether nobody needs the name of the record beside the sentence. */
function isAbout(saying: Saying): boolean {
  const { kind, relatedType } = saying.told.entry
  return isOwn(saying) || (aboutRecord.includes(kind) && relatedType !== 'DOCUMENT_RECORD')
}

/** Returns the time of a meeting. */
function timeIn({ kind, data }: Entry): string {
  const isMeeting = kind.startsWith('MEETING_') || kind === 'BOOKING_CREATED'
  return isMeeting && typeof data['startAt'] === 'string' ? ` · ${describeInstant(data['startAt'])}` : ''
}

/** Returns what was done, for the place after the name of its author. */
function said(saying: Saying): ReactNode {
  const { kind, relatedType, data } = saying.told.entry
  const [change] = saying.changes
  if (relatedType === 'DOCUMENT_RECORD' && change)
    return t.rich('set the document <b>{title}</b> to <b>{to}</b>', {
      ...bold,
      title: typeof data['title'] === 'string' ? data['title'] : '',
      to: inWords(change.to ?? ''),
    })
  if (kind === 'UPDATED') return saidUpdate(saying)
  if (kind === 'STAGE_CHANGED' || kind === 'STATUS_CHANGED') return saidMove(saying, kind === 'STAGE_CHANGED')
  if (kind === 'OWNER_CHANGED') return saidOwner(saying)
  if (kind === 'CONVERTED' || kind === 'MERGED') return saidOutcome(saying, kind)
  if (kind === 'COMMENT_ADDED' && isOwn(saying)) return t('commented')
  if (kind === 'PAYMENT_RECORDED' || kind === 'PAYMENT_REVERSED') return act(kind, { amount: moneyIn(data) })
  return saidOther(saying, kind)
}

/** Returns the sentence of a kind of entry. */
function act(kind: Entry['kind'], parts: Partial<ActParts>): ReactNode {
  return acts[kind]?.({ it: () => null, open: (inner) => inner, amount: '', ...parts })
}

/** Returns the record of a sentence: this one on its own page, elsewhere by its name, several by theirs. */
const itOf = (saying: Saying) => (): ReactNode => {
  const { told, kinds } = saying
  const { entry, others } = told
  if (others.length > 0) return <Names links={[entry, ...others].map(linkOf)} />
  const noun = kinds.find(({ key }) => key === entry.entityType)?.noun ?? nounOf(entry.entityType)
  if (isOwn(saying)) return t('this {noun}', named(noun))
  return t.rich('the {noun} <name>{title}</name>', {
    ...named(noun),
    title: entry.title,
    name: () => <NamedLink link={linkOf(entry)} />,
  })
}

function saidUpdate(saying: Saying): ReactNode {
  const { told, changes } = saying
  const change = saidChange(told, changes)
  const what = () => (change ? <Change change={change} /> : <Fields names={changes.map(({ name }) => name)} />)
  return isOwn(saying)
    ? t.rich('changed <what></what>', { what })
    : t.rich('changed <it></it>: <what></what>', { it: itOf(saying), what })
}

function saidMove(saying: Saying, isStage: boolean): ReactNode {
  const { told, changes } = saying
  const texts = { ...bold, to: saidChange(told, changes)?.to ?? t('(not visible)') }
  if (isOwn(saying)) return t.rich(isStage ? 'moved to <b>{to}</b>' : 'changed the status to <b>{to}</b>', texts)
  return t.rich(isStage ? 'moved <it></it> to <b>{to}</b>' : 'set <it></it> to <b>{to}</b>', {
    ...texts,
    it: itOf(saying),
  })
}

function saidOwner(saying: Saying): ReactNode {
  const change = saidChange(saying.told, saying.changes)
  const isAssignee = change?.field === 'assigneeId'
  const it = itOf(saying)
  const to = change?.to
  if (!to) return t.rich(isAssignee ? 'unassigned <it></it>' : 'left <it></it> without an owner', { it })
  return t.rich(isAssignee ? 'assigned <it></it> to <b>{to}</b>' : 'gave <it></it> to <b>{to}</b>', { ...bold, it, to })
}

function saidOutcome(saying: Saying, kind: 'CONVERTED' | 'MERGED'): ReactNode {
  const { data, relatedId, links } = saying.told.entry
  const ids =
    kind === 'MERGED'
      ? asIds(data['sourceIds'])
      : [data['contactId'], data['companyId'], data['dealId'], relatedId].flatMap(asIds)
  const made = ids.flatMap((id) => links.find((link) => link.id === id) ?? [])
  const it = itOf(saying)
  if (made.length === 0) return act(kind, { it })
  // Whatever was merged is gone, so that nothing leads there.
  const names = () => <Names links={made} isGone={kind === 'MERGED'} />
  return t.rich(kind === 'MERGED' ? 'merged <made></made> into <it></it>' : 'converted <it></it> to <made></made>', {
    it,
    made: names,
  })
}

function saidOther(saying: Saying, kind: Entry['kind']): ReactNode {
  const { relatedId, links, data } = saying.told.entry
  const { others } = saying.told
  const link = links.find(({ id }) => id === relatedId)
  const title = link?.title ?? [data['name'], data['linkName']].find((name) => typeof name === 'string')
  const named = namedActs[kind]
  if (typeof title === 'string' && named)
    return named({
      title,
      name: (inner) =>
        others.length > 0 ? (
          <Names links={relatedIn(saying.told)} />
        ) : link ? (
          <NamedLink link={link} />
        ) : (
          <b>{inner}</b>
        ),
    })
  return act(kind, {
    it: itOf(saying),
    open: (inner) => (link ? <NamedLink link={link}>{inner}</NamedLink> : inner),
  })
}

/** Returns what several entries name, such as the tasks that were added. */
function relatedIn({ entry, others }: Told<Entry>): readonly EntryLink[] {
  return [entry, ...others].flatMap(({ links, relatedId }) => links.find(({ id }) => id === relatedId) ?? [])
}

function moneyIn({ amount, currency }: Entry['data']): string {
  return describeMoney(typeof amount === 'string' ? amount : null, typeof currency === 'string' ? currency : null) ?? ''
}

function asIds(value: unknown): readonly string[] {
  return [value].flat().filter((id): id is string => typeof id === 'string')
}

function linkOf({ entityType, entityId: id, title }: Entry): EntryLink {
  return { entityType, id, title }
}

const bold = { b: (inner: ReactNode) => <b>{inner}</b> }

function Change({ change: { name, from, to } }: { readonly change: ChangeInWords }) {
  const words = { ...bold, field: name, to: to ?? t('empty') }
  return from === null || from === undefined
    ? t.rich('<b>{field}</b> to {to}', words)
    : t.rich('<b>{field}</b> from {from} to {to}', { ...words, from })
}

function Fields({ names }: { readonly names: readonly string[] }) {
  const shown = names.slice(0, namesMax).map((name) => <b key={name}>{name}</b>)
  const more = names.length - shown.length
  return (
    <Listed
      parts={
        more > 0 ? [...shown, t('{count, plural, one {# more field} other {# more fields}}', { count: more })] : shown
      }
    />
  )
}

function Names({ links, isGone = false }: { readonly links: readonly EntryLink[]; readonly isGone?: boolean }) {
  const shown = links
    .slice(0, namesMax)
    .map((link) => (isGone ? <b key={link.id}>{link.title}</b> : <NamedLink key={link.id} link={link} />))
  return (
    <Listed
      parts={
        links.length > shown.length
          ? [...shown, t('{count, plural, one {# other} other {# others}}', { count: links.length - shown.length })]
          : shown
      }
    />
  )
}

/** Parts of a sentence as a list, such as “A, B and C”. */
function Listed({ parts }: { readonly parts: readonly ReactNode[] }) {
  const last = parts.at(-1)
  // oxlint-disable-next-line react/no-array-index-key -- the parts never move
  const before = parts.slice(0, -1).map((part, at) => <Fragment key={at}>{at > 0 ? <>, {part}</> : part}</Fragment>)
  return before.length === 0
    ? last
    : t.rich('<first></first> and <last></last>', { first: () => before, last: () => last })
}

interface NamedLinkProps {
  readonly link: EntryLink
  /** The text of the link, if it is not the title. */
  readonly children?: ReactNode
}

/** The name of an object, which leads to its page where it has one. */
function NamedLink({ link: { entityType, id, title }, children }: NamedLinkProps) {
  const isKnown = useKinds().some(({ key }) => key === entityType)
  const { may } = useSession()
  const leads = isKnown || (hasPage(entityType) && (entityType !== 'EMPLOYEE' || may('VIEW_EMPLOYEE')))
  const text = children ?? title ?? nounOf(entityType)
  if (!leads) return <b>{text}</b>
  return (
    <Link className={classes.named} {...addressOf({ entityType, entityId: id })}>
      {text}
    </Link>
  )
}
