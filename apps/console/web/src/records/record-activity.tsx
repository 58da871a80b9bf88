import { NativeSelect, Tabs } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useSession } from '../base/session.ts'
import { hasTypedText } from '../base/unsaved.ts'
import { notifyRefusal } from '../shell/notices.tsx'
import { Panel } from '../shell/page.tsx'
import { feedFilterNames, feedFilters, type FeedFilter } from './feed-entries.ts'
import { NoteForm } from './note-form.tsx'
import { usePageCommand } from './page-commands.ts'
import { anyRecordQuery } from './record-calls.ts'
import classes from './record-page.module.css'
import type { RecordPlace } from './record-place.ts'
import { answerTo, Replying, type Answer } from './replying.ts'
import { Timeline } from './timeline.tsx'
import { t } from '../base/texts.ts'

/** A part of a record's page that opens on demand. */
export interface RecordTab {
  /** The name of the tab in the address. */
  readonly key: string
  readonly label: string
  /** The permissions of which one is enough to see it; absent if everybody who sees the record may see it. */
  readonly needs?: readonly string[]
  readonly content: ReactNode
  /** Ways to add one, beside the note. */
  readonly compose?: readonly Compose[]
}

/** The forms beside the note, in their order. */
const composed = ['call', 'task', 'email', 'file'] as const

interface Compose {
  /** Tasks and emails have a command that opens their form; so does the reply to an email. */
  readonly kind: (typeof composed)[number]
  readonly label: string
  readonly needs: string
  readonly content: ReactNode
}

interface Activity {
  readonly record: RecordPlace
  readonly tabs?: readonly RecordTab[] | undefined
  readonly isCommented?: boolean | undefined
}

/** The open form of those that add to the activity. */
interface Composing {
  readonly label: string
  /** How often a form was asked for by a command, which puts the cursor into it. */
  readonly asked: number
  open(label: string): void
  ask(label: string): void
}

/** Keeps the open form, and offers the commands that open one; `show` brings the activity into sight first. */
export function useComposing(
  { tabs = [], isCommented = true }: Omit<Activity, 'record'>,
  show?: () => void,
): Composing {
  const { may } = useSession()
  const [{ label, asked }, set] = useState({ label: t('Note'), asked: 0 })
  const ask = (next: string) => {
    show?.()
    set({ label: next, asked: asked + 1 })
  }
  const forms = formsOf(tabs, may)
  const asking = (kind: Compose['kind']) => {
    const form = isCommented && forms.find((one) => one.kind === kind)
    return form && (() => ask(form.label))
  }
  usePageCommand('note', isCommented && (() => ask(t('Note'))))
  usePageCommand('task', asking('task'))
  usePageCommand('email', asking('email'))
  return { label, asked, open: (next) => set({ label: next, asked: 0 }), ask }
}

function formsOf(tabs: readonly RecordTab[], may: (permission: string) => boolean): readonly Compose[] {
  const forms = tabs.flatMap(({ compose = [] }) => compose.filter(({ needs }) => may(needs)))
  return forms.toSorted((one, other) => composed.indexOf(one.kind) - composed.indexOf(other.kind))
}

/** The history of a record, and the forms that add to it. */
export function ActivityPanel({
  record,
  tabs = [],
  isCommented = true,
  composing,
}: Activity & { readonly composing: Composing }) {
  const [filter, setFilter] = useState<FeedFilter | ''>('')
  const { may, person } = useSession()
  const client = useQueryClient()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const mail = formsOf(tabs, may).find(({ kind }) => kind === 'email')
  const reply = async (activityId: string) => {
    if (mail === undefined) return
    setAnswer(answerTo(await client.fetchQuery(anyRecordQuery('ACTIVITY', activityId)), person.email))
    composing.open(mail.label)
  }
  const replyTo = mail === undefined ? undefined : (id: string) => void reply(id).catch(notifyRefusal)
  return (
    <Replying.Provider value={{ answer, replyTo }}>
      <Panel
        title={t('Activity')}
        actions={
          <NativeSelect
            aria-label={t('Show in activity')}
            size="xs"
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value as FeedFilter | '')}
            data={[
              { value: '', label: t('Everything') },
              ...Object.entries(feedFilterNames).map(([value, label]) => ({ value, label })),
            ]}
          />
        }
      >
        {isCommented && <Composer record={record} forms={formsOf(tabs, may)} composing={composing} />}
        <Timeline record={record} kinds={filter === '' ? undefined : feedFilters[filter]} />
      </Panel>
    </Replying.Provider>
  )
}

interface ComposerProps {
  readonly record: RecordPlace
  readonly forms: readonly Compose[]
  readonly composing: Composing
}

/** Adds a note, a call, a task or a file, as far as the person may. */
function Composer({ record, forms, composing: { label, asked, open } }: ComposerProps) {
  const place = useRef<HTMLDivElement>(null)
  /** The forms that somebody left with a text in them. */
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const change = (next: string) => {
    if (place.current && hasTypedText(place.current)) setKept(new Set([...kept, label]))
    open(next)
  }
  useEffect(() => {
    if (asked > 0) firstFieldIn(place.current)?.focus()
  }, [asked])
  const note = <NoteForm record={record} />
  return (
    <div ref={place} className={classes.composer}>
      {forms.length === 0 ? (
        note
      ) : (
        <Tabs value={label} onChange={(next) => next !== null && change(next)} keepMounted={false}>
          <Tabs.List aria-label={t('New activity')} className={classes.tabs}>
            {[t('Note'), ...forms.map((form) => form.label)].map((name) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={t('Note')}>{note}</Tabs.Panel>
          {forms.map(({ label: name, content }) => (
            <Tabs.Panel key={name} value={name} keepMounted={kept.has(name)}>
              {content}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </div>
  )
}

/** Returns the field in which writing begins: the marked one, otherwise the first. */
function firstFieldIn(place: HTMLElement | null): HTMLElement | null | undefined {
  const shown = [...(place?.querySelectorAll<HTMLElement>('[data-begins], textarea, input:not([type=checkbox])') ?? [])]
    // A form that somebody left half written is still there, unseen.
    .filter((field) => field.checkVisibility())
  return shown.find((field) => field.hasAttribute('data-begins')) ?? shown[0]
}
