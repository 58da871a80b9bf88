import { entitiesWith } from '@crm/model'
import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { titleOfFailure } from '../base/refusals.ts'
import { useSession } from '../base/session.ts'
import { Avatar } from '../shell/avatar.tsx'
import { AlsoHere } from './also-here.tsx'
import { FollowButton } from './follow-button.tsx'
import { Page, Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { usePhone } from '../shell/use-phone.ts'
import { useNeighbours } from './list-place.ts'
import { useRemembered } from './recent-records.ts'
import { ActivityPanel, useComposing, type RecordTab } from './record-activity.tsx'
import classes from './record-page.module.css'
import { addressOf, type RecordPlace } from './record-place.ts'
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
      title={
        error === null
          ? capitalized(noun)
          : titleOfFailure(error, t('{noun} not found, or you do not have access', named(capitalized(noun))))
      }
      above={back}
      narrow={narrow}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel>
          <LoadingLines lines={8} label={t('Loading {noun}', named(noun))} />
        </Panel>
      )}
    </Page>
  )
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
}

/** The kinds of record that stand for a person, whose avatar is round. */
const peopleKinds: readonly string[] = entitiesWith('person')

/** The page of a record: its facts, its content, its history, and its related records. */
export function RecordPage({ title, note, back, actions, top, ...parts }: RecordPageProps) {
  const navigate = useNavigate()
  useRemembered(useSession().person.id, parts.record, title)
  // Back leads to the list, however many records were looked at.
  useNeighbours(
    parts.record,
    (entityId) => void navigate({ ...addressOf({ ...parts.record, entityId }), replace: true }),
  )
  return (
    <Page
      title={title}
      note={note}
      above={back}
      actions={
        <>
          <AlsoHere record={parts.record} />
          <FollowButton record={parts.record} />
          {actions}
        </>
      }
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
  const composing = useComposing(parts)
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        {main}
        <ActivityPanel {...parts} composing={composing} />
      </div>
      {aside !== undefined && <div className={classes.column}>{aside}</div>}
    </div>
  )
}

function ColumnsWithFacts({ facts, main, tabs = [], next, aside, ...parts }: Parts) {
  const { may } = useSession()
  const isPhone = usePhone()
  const [, openTab] = useTab(isPhone ? ['overview'] : ['activity'])
  const composing = useComposing({ ...parts, tabs }, () => openTab('activity'))
  const activity = {
    key: 'activity',
    label: t('Activity'),
    content: <ActivityPanel {...parts} tabs={tabs} composing={composing} />,
  }
  const usual = [activity, ...tabs.filter(({ needs }) => needs?.some(may) ?? true)]
  if (isPhone) {
    const overview = {
      key: 'overview',
      label: t('Overview'),
      content: (
        <Stacked>
          {next}
          {facts}
          {main}
        </Stacked>
      ),
    }
    const related = { key: 'related', label: t('Related'), content: <Related>{aside}</Related> }
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
      <Tabs.List className={classes.tabs} aria-label={t('Record')}>
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
