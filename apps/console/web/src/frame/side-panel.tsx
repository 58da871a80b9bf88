import { isFollowedUp } from '@crm/model'
import { ActionIcon, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useSession } from '../base/session.ts'
import { NextStep, tasksTab } from '../domain/tasks/record-tasks.tsx'
import { KeyFacts } from '../records/key-facts.tsx'
import { useNeighbours } from '../records/list-place.ts'
import { StageName } from '../records/list/cell-value.tsx'
import { useRemembered } from '../records/recent-records.ts'
import { ActivityPanel, useComposing } from '../records/record-activity.tsx'
import { needsNextStep } from '../records/next-steps.ts'
import { anyRecordQuery, titleOf, type AnyRecord } from '../records/record-calls.ts'
import { useKind, type Kind } from '../records/record-kinds.ts'
import { addressOf, writingPageOf, type RecordPlace } from '../records/record-place.ts'
import { unlessTyped } from '../shell/discarding.tsx'
import { Icon } from '../shell/icons.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import classes from './side-panel.module.css'
import { t } from '../base/texts.ts'
import { usePhone } from '../shell/use-phone.ts'

interface SidePanelProps {
  readonly record: RecordPlace
}

/** A record beside its list; a phone shows its page instead. */
export function SidePanel({ record }: SidePanelProps) {
  const isPhone = usePhone()
  const kind = useKind(record.entityType)
  if (isPhone) return <Navigate {...addressOf(record)} replace />
  return kind && <Panel key={record.entityId} record={record} kind={kind} />
}

interface PanelProps extends SidePanelProps {
  readonly kind: Kind
}

function Panel({ record, kind }: PanelProps) {
  const { data, error, refetch } = useQuery(anyRecordQuery(record.entityType, record.entityId))
  const place = useRef<HTMLElement>(null)
  const show = usePeek()
  const title = data === undefined ? t('Side panel') : titleOf(kind, data)
  useNeighbours(record, show)
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  const close = () =>
    unlessTyped(place.current, () => {
      show(undefined)
      cellOf(record.entityId)?.focus()
    })
  const byKeys = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isWriting(event.target)) close()
  }
  return (
    <aside ref={place} tabIndex={-1} aria-label={t('Side panel')} className={classes.panel} onKeyDown={byKeys}>
      <header className={classes.head}>
        <div className={classes.heading}>
          <Title order={2}>
            <Link {...addressOf(record)} className={classes.title}>
              <bdi>{title}</bdi>
            </Link>
          </Title>
          {typeof data?.['stageId'] === 'string' && <StageName kind={kind} id={data['stageId']} />}
        </div>
        <ActionIcon
          size={28}
          aria-label={t('Open the page')}
          title={t('Open the page')}
          renderRoot={(props: object) => <Link {...addressOf(record)} {...props} />}
        >
          <Icon name="open" size={16} />
        </ActionIcon>
        <ActionIcon size={28} aria-label={t('Close the side panel')} aria-keyshortcuts="Escape" onClick={close}>
          <Icon name="cross" size={16} />
        </ActionIcon>
      </header>
      <div className={classes.content}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {data === undefined && error === null && <LoadingLines lines={8} />}
        {data && <Content kind={kind} record={record} data={data} title={title} />}
      </div>
    </aside>
  )
}

interface ContentProps extends PanelProps {
  readonly data: AnyRecord
  readonly title: string
}

function Content({ record, kind, data, title }: ContentProps) {
  const hasNextStep = kind.isCustom || isFollowedUp(kind.key)
  const activity = { record, tabs: hasNextStep ? [tasksTab(record)] : [] }
  const composing = useComposing(activity)
  useRemembered(useSession().person.id, record, title)
  return (
    <>
      <KeyFacts
        entityType={kind.key}
        record={data}
        {...(writingPageOf(kind.key) !== undefined ? { onlyEditable: [] } : {})}
      />
      {hasNextStep && <NextStep record={record} needsNext={needsNextStep(kind.key, data)} />}
      <ActivityPanel {...activity} composing={composing} />
    </>
  )
}

/** Returns the function that shows another record in the panel, or none. */
function usePeek(): (id: string | undefined) => void {
  const navigate = useNavigate()
  return (peek) =>
    void navigate({
      to: '.',
      // Only lists have a panel, and each of them keeps the parts of its address.
      search: ((known: object) => ({ ...known, peek })) as never,
      replace: true,
      resetScroll: false,
    })
}

/** Returns the place of a record in the list, to which the focus returns. */
function cellOf(id: string): HTMLElement | null {
  const cells = `[data-row="${CSS.escape(id)}"]`
  return document.querySelector(`${cells}[tabindex="0"]`) ?? document.querySelector(cells)
}

function isWriting(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]') !== null
}
