import { NativeSelect, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useSession } from '../base/session.ts'
import { Avatar } from '../shell/avatar.tsx'
import { Icon } from '../shell/icons.tsx'
import { Page, Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { feedFilterNames, feedFilters, type FeedFilter } from './feed-entries.ts'
import { NoteForm } from './note-form.tsx'
import { useRemembered } from './recent-records.ts'
import classes from './record-page.module.css'
import type { RecordPlace } from './record-place.ts'
import { anyRecordQuery } from './record-calls.ts'
import { answerTo, Replying, type Answer } from './replying.ts'
import { notifyRefusal } from '../shell/notices.tsx'
import { Timeline } from './timeline.tsx'
import { useTab } from './use-tab.ts'
import { capitalized, named, t } from '../base/texts.ts'

interface WithRecordProps<Shown> {
  /** The noun for such a record. */
  readonly noun: string
  readonly reading: { readonly data: Shown | undefined; readonly error: Error | null; refetch(): unknown }
  /** The link back to the list. */
  readonly back?: ReactNode
  readonly narrow?: boolean
  children(record: Shown): ReactNode
}

/**
 * Shows content that needs a record, once the record is there; until then the page shows that it loads, or why it
 * cannot be shown.
 */
export function WithRecord<Shown>({
  noun,
  reading: { data, error, refetch },
  back,
  narrow = false,
  children,
}: WithRecordProps<Shown>) {
  if (data !== undefined) return children(data)
  return (
    <Page
      title={error === null ? capitalized(noun) : t('records.thisNounCannotBeShown', named(noun))}
      above={back}
      narrow={narrow}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel>
          <LoadingLines lines={8} label={t('records.loadingTheNoun', named(noun))} />
        </Panel>
      )}
    </Page>
  )
}

/** A part of a record's page that opens on demand. */
export interface RecordTab {
  /** The name of the tab in the address. */
  readonly key: string
  readonly label: string
  /** The permissions of which one is enough to see it; absent if everybody who sees the record may see it. */
  readonly needs?: readonly string[]
  readonly content: ReactNode
  /** Ways to add one, beside the note. */
  readonly compose?: readonly {
    readonly label: string
    readonly needs: string
    readonly content: ReactNode
    /** Whether it writes emails, so that a reply opens it. */
    readonly isMail?: boolean
  }[]
}

interface RecordPageProps {
  readonly record: RecordPlace
  readonly title: string
  readonly note?: ReactNode
  readonly back?: ReactNode
  readonly actions?: ReactNode
  /** Content above all columns, such as the stages. */
  readonly top?: ReactNode
  /** The facts of the record, field by field; they come first. */
  readonly facts?: ReactNode
  /** The content of the record. */
  readonly main?: ReactNode
  /** The tabs beside the activity, one at a time. */
  readonly tabs?: readonly RecordTab[]
  /** The next step of the record. */
  readonly next?: ReactNode
  /** The related records. */
  readonly aside?: ReactNode
  readonly isCommented?: boolean
  /** The history of the record, if it is more than its timeline. */
  readonly history?: ReactNode
}

/** The kinds of record that stand for a person, whose avatar is round. */
const peopleKinds: readonly string[] = ['LEAD', 'CONTACT']

/** The page of a record: its facts, its content, its history, and its related records. */
export function RecordPage({ title, note, back, actions, top, ...parts }: RecordPageProps) {
  useRemembered(useSession().person.id, parts.record, title)
  return (
    <Page
      title={title}
      note={note}
      above={back}
      actions={actions}
      mark={<Avatar name={title} size={40} isSquare={!peopleKinds.includes(parts.record.entityType)} />}
      isSticky
    >
      {top}
      {parts.facts === undefined ? <Columns {...parts} /> : <ColumnsWithFacts {...parts} />}
    </Page>
  )
}

type Parts = Omit<RecordPageProps, 'title' | 'note' | 'back' | 'actions' | 'top'>

function Columns({ main, aside, ...parts }: Parts) {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        {main}
        <ActivityPanel {...parts} />
      </div>
      {aside !== undefined && <div className={classes.column}>{aside}</div>}
    </div>
  )
}

/** Below this width the facts and the related records are tabs, too. */
const phone = '(max-width: 47.99em)'

function ColumnsWithFacts({ facts, main, tabs = [], next, aside, ...parts }: Parts) {
  const { may } = useSession()
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false })
  const activity = { key: 'activity', label: t('records.activity'), content: <ActivityPanel {...parts} tabs={tabs} /> }
  const usual = [activity, ...tabs.filter(({ needs }) => needs?.some(may) ?? true)]
  if (isPhone) {
    const overview = {
      key: 'overview',
      label: t('records.overview'),
      content: (
        <Stacked>
          {next}
          {facts}
          {main}
        </Stacked>
      ),
    }
    const related = { key: 'related', label: t('records.related'), content: <Related>{aside}</Related> }
    return <RecordTabs tabs={[overview, ...usual, ...(aside === undefined ? [] : [related])]} />
  }
  const hasAside = aside !== undefined || next !== undefined
  return (
    <div className={classes.columns} data-facts="true" data-aside={hasAside}>
      <div className={classes.facts}>{facts}</div>
      <div className={classes.middle}>
        {main}
        <RecordTabs tabs={usual} />
      </div>
      {hasAside && (
        <Related>
          {next}
          {aside}
        </Related>
      )}
    </div>
  )
}

function Stacked({ children }: { readonly children: ReactNode }) {
  return <div className={classes.column}>{children}</div>
}

function Related({ children }: { readonly children: ReactNode }) {
  return <div className={classes.related}>{children}</div>
}

function RecordTabs({ tabs }: { readonly tabs: readonly RecordTab[] }) {
  const [open, setOpen] = useTab(tabs.map(({ key }) => key))
  const [only] = tabs
  if (tabs.length === 1) return only?.content
  return (
    <Tabs value={open} onChange={(tab) => tab !== null && setOpen(tab)} keepMounted={false}>
      <Tabs.List className={classes.tabs} aria-label={t('records.record')}>
        {tabs.map(({ key, label }) => (
          <Tabs.Tab key={key} value={key}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key, content }) => (
        <Tabs.Panel key={key} value={key} className={classes.panel}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function ActivityPanel({
  record,
  tabs = [],
  isCommented = true,
  history,
}: Pick<Parts, 'record' | 'tabs' | 'isCommented' | 'history'>) {
  const [filter, setFilter] = useState<FeedFilter | ''>('')
  const { may, person } = useSession()
  const client = useQueryClient()
  const [composed, setComposed] = useState(t('common.note'))
  const [answer, setAnswer] = useState<Answer | null>(null)
  const mail = tabs.flatMap(({ compose = [] }) => compose).find(({ isMail, needs }) => isMail === true && may(needs))
  const reply = async (activityId: string) => {
    if (mail === undefined) return
    setAnswer(answerTo(await client.fetchQuery(anyRecordQuery('ACTIVITY', activityId)), person.email))
    setComposed(mail.label)
  }
  const replyTo = mail === undefined ? undefined : (id: string) => void reply(id).catch(notifyRefusal)
  return (
    <Replying.Provider value={{ answer, replyTo }}>
      <Panel
        title={t('records.activity')}
        actions={
          history === undefined && (
            <NativeSelect
              aria-label={t('records.showInActivity')}
              size="xs"
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value as FeedFilter | '')}
              data={[
                { value: '', label: t('records.everything') },
                ...Object.entries(feedFilterNames).map(([value, label]) => ({ value, label })),
              ]}
            />
          )
        }
      >
        {isCommented && <Composer record={record} tabs={tabs} open={composed} onOpen={setComposed} />}
        {history ?? <Timeline record={record} kinds={filter === '' ? undefined : feedFilters[filter]} />}
      </Panel>
    </Replying.Provider>
  )
}

/** Adds a note, a call, a task or a file, as far as the person may. */
function Composer({
  record,
  tabs,
  open,
  onOpen,
}: {
  readonly record: RecordPlace
  readonly tabs: readonly RecordTab[]
  readonly open: string
  onOpen(label: string): void
}) {
  const { may } = useSession()
  const others = tabs.flatMap(({ compose = [] }) => compose.filter(({ needs }) => may(needs)))
  const note = <NoteForm record={record} />
  if (others.length === 0) return <div className={classes.composer}>{note}</div>
  return (
    <Tabs
      value={open}
      onChange={(label) => label !== null && onOpen(label)}
      keepMounted={false}
      className={classes.composer}
    >
      <Tabs.List aria-label={t('records.newActivity')} className={classes.tabs}>
        {[t('common.note'), ...others.map(({ label }) => label)].map((label) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={t('common.note')}>{note}</Tabs.Panel>
      {others.map(({ label, content }) => (
        <Tabs.Panel key={label} value={label}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function BackAnchor({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={classes.back}>
      <Icon name="left" size={16} />
      {children}
    </a>
  )
}

/** A link from a record back to its list. */
export const BackLink = createLink(BackAnchor)
